import { execFile, spawnSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../testdata/temporary-folder.ts';
import { type Shell, shellScripts } from './shell-scripts.ts';

const platform = join(import.meta.dirname, '../../../../platform');
/** Shell code that types a line with the completion script loaded, and prints the offered words, one per line. */
const offers: Readonly<Record<Shell, (line: string) => string>> = {
  bash: (line) => `
    read -ra COMP_WORDS <<< '${line.replaceAll('=', ' = ')}'
    case '${line}' in *' '|*=) COMP_WORDS+=('');; esac
    COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 ))
    _platform; printf '%s\\n' "\${COMPREPLY[@]}"`,
  fish: (line) => `complete -C '${line}' | string replace -r '\\t.*' ''; true`,
  // zsh completes only at a terminal, so a second zsh runs at a pseudo-terminal. ^T lists the matches. ^B prints MARKED
  // after the list.
  zsh: (line) => `
    zmodload zsh/zpty
    zpty line zsh -f -i
    zpty -w line "PS1=; source '$PWD/script.compinit'; stty cols 300; print READY\\$((1+1))"
    zpty -r line said '*READY2*'
    zpty -w -n line $'${line}\x14\x02'
    zpty -r line said '*MARKED*'
    zpty -d line
    print -r -- \${said%MARKED*}`,
};
const compinit = `autoload -U compinit; compinit -u; source "$PWD/script"; zstyle ':completion:*' list-separator '#'
mark() { print MARKED }
zle -N mark; bindkey '^T' list-choices; bindkey '^B' mark
`;

describe.each(['bash', 'fish', 'zsh'] as const)('%s', (shell) => {
  const isThere = spawnSync(shell, ['-c', 'true']).status === 0;
  const cases = isThere ? it : it.skip;
  let folder: string;
  let temporary: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeAll(async () => {
    temporary = await temporaryFolder();
    folder = temporary.path;
    await mkdir(join(folder, 'bin'));
    await symlink(platform, join(folder, 'bin/platform'));
    await writeFile(join(folder, 'script'), shellScripts[shell]);
    await writeFile(join(folder, 'script.compinit'), compinit);
    await writeFile(join(folder, 'admin.kubeconfig'), '');
  });

  afterAll(async () => await temporary[Symbol.asyncDispose]());

  async function offered(line: string): Promise<string[]> {
    const PATH = `${join(folder, 'bin')}:${process.env['PATH']}`;
    const environment = { PATH, TERM: 'xterm', HOME: folder };
    const source = `${shell === 'zsh' ? '' : 'source ./script\n'}${offers[shell](line)}\n`;
    const { stdout } = await promisify(execFile)(shell, ['-c', source], { cwd: folder, env: environment, timeout: 4_000 });
    return shell === 'zsh' ? listed(stdout) : stdout.trim().split('\n').toSorted();
  }

  cases.each([
    ['commands with a text each', 'platform context ', ['list', 'remove', 'use']],
    ['choices of an argument', 'platform completion ', ['bash', 'fish', 'zsh']],
    ['choices behind =', 'platform api listTeams --output=y', [shell === 'bash' ? 'yaml' : '--output=yaml']],
    ['files', 'platform admin cluster import --kubeconfig admin', ['admin.kubeconfig']],
  ])('offers %s', async (_what, line, expected) => {
    expect(await offered(line)).toEqual(expected);
  });
});

/** The words in a list that zsh has drawn on a terminal; each word may have `#` and a description after it. */
function listed(drawn: string): string[] {
  const words = drawn.replaceAll(/\x1b\[[?\d;]*[A-Za-z]/g, '').split(/[\r\n]+/).flatMap((line) => line.split('#')[0]!.trim().split(/ {2,}/));
  const found = words.filter((word) => !/^(p|platform( .*)?)?$/.test(word));
  return found.toSorted();
}
