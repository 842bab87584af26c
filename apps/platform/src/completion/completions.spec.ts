import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { addDeployment } from '../deployment-program.ts';
import { packageCommands } from '../package-commands.ts';
import { createProgram } from '../program.ts';
import { temporaryFolder } from '../testdata/temporary-folder.ts';
import { completionsOf } from './completions.ts';
import { readKnown } from './known.ts';

const program = createProgram({}, [...packageCommands, addDeployment]);

it.each([
  ['a command', ['conte'], ['context']],
  ['no hidden command', ['complete'], []],
  ['commands below a command', ['context', ''], ['list', 'use', 'remove']],
  ['options', ['seed', '--org'], ['--organizations']],
  ['options behind an option with a value', ['seed', '--seed', 'a', '--us'], ['--users']],
  ['help at every level', ['admin', 'user', '--h'], ['--help']],
  ['choices of an argument', ['completion', ''], ['bash', 'zsh', 'fish']],
  ['operations of the API', ['api', 'getTeamM'], ['getTeamMember']],
  ['parameters of an operation', ['api', 'listTeams', '--org'], ['--orgname']],
  ['choices of an option', ['api', 'listTeams', '-o', 'y'], ['yaml']],
  ['choices of an option behind =', ['api', 'listTeams', '--output=y'], ['--output=yaml']],
  ['contexts of platform login', ['context', 'use', ''], ['here']],
  ['contexts for an operation', ['api', 'listTeams', '--context', ''], ['here']],
  ['no command where an argument stands', ['admin', 'user', 'delete', 'ada', ''], []],
  ['no options behind --', ['seed', '--', '--org'], []],
  ['nothing where any text will do', ['admin', 'user', 'create', '--username', ''], []],
  ['nothing for a command that does not exist', ['nothing', ''], []],
])('offers %s: %j', async (_what, words, expected) => {
  await using folder = await temporaryFolder();
  await mkdir(join(folder.path, 'platform'));
  const contexts = { current: 'here', contexts: { here: { baseUrl: 'http://localhost:1', token: 't' } } };
  await writeFile(join(folder.path, 'platform/contexts.json'), JSON.stringify(contexts));
  const known = await readKnown({ XDG_CONFIG_HOME: folder.path });
  const { candidates, files } = completionsOf(program, words, known);
  expect(candidates.map(({ value }) => value)).toEqual(expected);
  expect(files).toBe(false);
});

it.each([
  [['admin', 'cluster', 'import', '--kubeconfig', '']],
  [['admin', 'license-ca', 'add', '--file=']],
])('lets the shell offer paths: %j', async (words) => {
  const known = await readKnown({ XDG_CONFIG_HOME: '/nowhere' });
  expect(completionsOf(program, words, known)).toEqual({ candidates: [], files: true });
});
