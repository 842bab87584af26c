import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { narrowToken, type Person, startWorld, type World } from '../orgs/world.ts';
import { organizationHosts } from '../platform.ts';
import { peopleCommand, peopleTerminal } from './people-command.ts';

let world: World, owner: Person, home: string;
beforeAll(async () => {
  world = await startWorld({ hosts: organizationHosts });
  owner = await world.person('walker');
  home = await mkdtemp(join(tmpdir(), 'people-'));
}, 120_000);
afterAll(async () => {
  await world?.[Symbol.asyncDispose]();
  await rm(home, { recursive: true, force: true });
});

const platform = (argv: readonly string[], input?: string) => peopleCommand(home, argv, input);
const api = (...argv: string[]) => platform(['api', ...argv]);
const login = (token: string, ...more: string[]) => platform(['login', world.platform.baseUrl, ...more], `${token}\n`);
const file = () => join(home, '.config/platform/contexts.json');

describe('the commands of people', () => {
  it('sign in by a token on standard input, which only its owner can read', async () => {
    expect((await api('getUser')).code).toBe(1);
    const refused = await login('0'.repeat(40));
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('unauthenticated')]);
    expect((await login('')).code).toBe(1);
    const { code, stdout } = await login(owner.token, '--json');
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { baseUrl: world.platform.baseUrl, login: 'walker' }]);
    expect((await stat(file())).mode & 0o777).toBe(0o600);
    expect((await stat(join(home, '.config/platform'))).mode & 0o777).toBe(0o700);
  }, 60_000);

  it.each(['{}', 'null', '<html></html>', '{"login":3}', ''])('take no server that answers %j for a platform', async (body) => {
    await using other = createServer((_request, response) => void response.end(body));
    await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const { code, stderr } = await platform(['login', baseUrl], `${owner.token}\n`);
    expect([code, stderr]).toEqual([1, expect.stringContaining('does not answer as a platform')]);
    expect(await readFile(file(), 'utf8')).not.toContain(baseUrl);
  });

  it('send no token without HTTPS to another machine', async () => {
    for (const address of ['http://platform.example.org', 'ftp://127.0.0.1', 'https://me:secret@platform.example.org', 'platform']) {
      expect((await platform(['login', address], `${owner.token}\n`)).code).toBe(2);
    }
  }, 60_000);

  it('call operations with flags, and write tables, JSON, YAML and CSV', async () => {
    const made = await api('createOrganization', '--set', 'username=acme', '--set', 'full_name=Acme', '-o', 'json');
    expect([made.code, JSON.parse(made.stdout)]).toMatchObject([0, { username: 'acme', full_name: 'Acme' }]);
    const body = { name: 'Builders', type: 'kubernetes' };
    await writeFile(join(home, 'team.json'), JSON.stringify(body));
    const team = await api('createTeam', '--orgname=acme', `--body=@${join(home, 'team.json')}`, '-o', 'yaml');
    expect(parse(team.stdout)).toMatchObject(body);
    const piped = await platform(['api', 'createTeam', '--orgname=acme', '--body=-'], JSON.stringify({ ...body, name: 'Piped' }));
    expect([piped.code, piped.stdout]).toEqual([0, expect.stringMatching(/^name +Piped$/m)]);
    const names = ['Owners', 'Editors', 'Viewers', 'Builders', 'Piped'];
    const { stdout: table } = await api('listTeams', '--orgname=acme');
    expect(table.split('\n')).toEqual([expect.stringMatching(/^id +name/), ...names.map((name) => expect.stringContaining(name)), '']);
    const csv = await api('listTeams', '--orgname=acme', '-o', 'csv');
    expect(csv.stdout.split('\r\n')).toHaveLength(names.length + 2);
    const page = await api('listTeams', '--orgname=acme', '--page=2', '--limit=2', '-o', 'json');
    expect(JSON.parse(page.stdout)).toMatchObject([{ name: 'Viewers' }, { name: 'Builders' }]);
  }, 120_000);

  it('show what a terminal would act on, in every format, and write it as it is into a file', async () => {
    const description = 'a\u001b]0;b\u0007\u202e';
    await api('createOrganization', '--set', 'username=loud', '--set', `description=${description}`);
    for (const format of ['table', 'json', 'yaml', 'csv']) {
      const { stdout } = await peopleTerminal(home, ['api', 'listUserOrganizations', '-o', format]);
      expect([format, stdout.includes('\u001b'), /\\(?:u001b|e)\]0;b/.test(stdout)]).toEqual([format, false, true]);
    }
    expect((await api('listUserOrganizations', '-o', 'csv')).stdout).toContain(description);
    const yaml = await api('getOrganization', '--orgname=loud', '-o', 'yaml');
    expect(parse(yaml.stdout)).toMatchObject({ description });
  }, 60_000);

  it('say what is wrong: 2 for the call, 1 for a refusal, with its code', async () => {
    for (const argv of [['nothing'], ['listTeams'], ['listTeams', '--orgname=acme', '--planet=x'], ['listTeams', '--orgname=acme', 'more'],
      ['createTeam', '--orgname=acme', '--body={'], ['createTeam', '--orgname=acme', '--set=x'], ['listTeams', '--orgname=acme', '-o', 'xml'],
      ['getTeam', '--teamid=..']]) {
      expect([argv, (await api(...argv)).code]).toEqual([argv, 2]);
    }
    const refused = await api('getOrganization', '--orgname=nowhere');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('not_found')]);
  }, 120_000);

  it('have several contexts, and a narrow token does no more than its scopes', async () => {
    const narrow = await narrowToken(owner.http, 'read:user');
    expect((await login(narrow, '--context', 'reader')).code).toBe(0);
    expect((await api('getUser', '-o', 'json')).code).toBe(0);
    const refused = await api('listTeams', '--orgname=acme');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('missing_scope')]);
    const first = new URL(world.platform.baseUrl).host;
    expect((await api('listTeams', '--orgname=acme', '--context', first)).code).toBe(0);
    const { stdout } = await platform(['context', 'list', '--json']);
    const contexts = [first, 'reader'].map((name) => ({ name, baseUrl: world.platform.baseUrl }));
    expect(JSON.parse(stdout)).toEqual({ current: 'reader', contexts });
    expect(stdout).not.toContain(narrow);
    for (const [act, name, code] of [['use', first, 0], ['remove', 'reader', 0], ['use', 'reader', 1]] as const) {
      expect([act, name, (await platform(['context', act, name])).code]).toEqual([act, name, code]);
    }
    expect(await readFile(file(), 'utf8')).not.toContain(narrow);
    await writeFile(file(), '{"current": 3}');
    const damaged = await api('getUser');
    expect([damaged.code, damaged.stderr]).toEqual([1, expect.stringContaining('platform login')]);
  }, 120_000);
});
