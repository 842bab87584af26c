import { beforeAll, describe, expect, it } from '@jest/globals';
import { platformCommand } from './operator-command.ts';
import { operatorOf, type TestUser } from './operator.ts';
import { organizationHosts, type RunningPlatform, startPlatform } from './platform.ts';

let platform: RunningPlatform, teams: Record<string, number>;
let owner: TestUser, viewer: TestUser;

beforeAll(async () => {
  platform = await startPlatform({ hosts: organizationHosts });
  await using operator = await operatorOf(platform);
  [owner, viewer] = await Promise.all([operator.user('olga'), operator.user('victor')]);
  await as(owner).post('/api/v1/orgs', { json: { username: 'acme' } });
  const listed = await as(owner).get('/api/v1/orgs/acme/teams');
  teams = Object.fromEntries(listed.json<{ id: number; name: string }[]>().map(({ id, name }) => [name, id]));
  await as(owner).put(`/api/v1/teams/${teams['Viewers']}/members/victor`);
}, 120_000);

const as = ({ token }: TestUser) => platform.http.with({ authorization: `Bearer ${token}` });

/** Runs `platform admin …` like an operator of the running platform. */
const admin = (...argv: string[]) => platformCommand(['admin', ...argv], {
  ...process.env, NODE_OPTIONS: '',
  PLATFORM_SERVER: platform.grpc['orgs-teams'].split(',')[0], PLATFORM_TOKEN: platform.serviceCredential,
});

const explain = (user: string, relation: string, object: string, ...more: string[]) =>
  admin('explain', '--user', user, '--relation', relation, '--object', object, ...more);

describe('platform admin explain', () => {
  it('explains what a request was answered, for programs', async () => {
    const refused = await as(viewer).patch(`/api/v1/teams/${teams['Editors']}`, { json: { name: 'Writers' } });
    expect(refused.status).toBe(403);
    const { code, stdout } = await explain('victor', 'can_edit', `team:${teams['Editors']}`, '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      user: 'victor', relation: 'can_edit', allowed: false, verdict: 'not_granted', signsIn: true, engineAgrees: true,
      owner: { name: 'acme', kind: 'organization' },
      principals: [{ team: { name: 'Viewers', id: teams['Viewers'] }, right: 'read', roles: [] }],
      requirements: [{ kind: 'right', right: 'admin' }, { kind: 'permission', namespace: 'team_mgmt' }],
    });
  });

  it('says it to people, with the team it goes through or what is missing', async () => {
    const allowed = await explain('olga', 'can_edit', `team:${teams['Editors']}`);
    expect(allowed.code).toBe(0);
    for (const said of ['Allowed', 'Owners']) expect(allowed.stdout).toContain(said);
    const refused = await explain('victor', 'can_edit', `team:${teams['Editors']}`);
    for (const said of ['Refused', 'Viewers', 'team_mgmt / edit teams']) expect(refused.stdout).toContain(said);
  });

  it('fails for what is not there', async () => {
    expect(await explain('nobody', 'can_edit', 'team:1', '--json')).toMatchObject({ code: 1, stdout: '' });
    const noRelation = await explain('olga', 'can_fly', `team:${teams['Editors']}`, '--json');
    expect(noRelation).toMatchObject({ code: 1, stdout: '' });
  });
});

describe('platform admin audit', () => {
  const list = async (...argv: string[]) => {
    const { stdout } = await admin('audit', ...argv, '--json');
    return (JSON.parse(stdout) as { entries: { action: string; actor: string; requestId: string }[] }).entries;
  };

  it('shows who changed what in an organization, and by which request', async () => {
    const entries = await list('--organization', 'acme', '--since', '1h');
    const expected = ['olga organization.create', 'olga team.add_member'];
    expect(entries.map(({ action, actor }) => `${actor} ${action}`)).toEqual(expect.arrayContaining(expected));
    expect(entries.every(({ requestId }) => requestId !== '')).toBe(true);
  });

  it('restricts to one actor, and to so many', async () => {
    const olgas = await list('--actor', 'OLGA');
    expect(new Set(olgas.map(({ actor }) => actor))).toEqual(new Set(['olga']));
    expect(await list('--actor', 'olga', '--limit', '1')).toEqual(olgas.slice(0, 1));
    expect(await list('--actor', 'victor')).toEqual([]);
    expect((await admin('audit', '--organization', 'nowhere', '--json')).code).toBe(1);
  });
});
