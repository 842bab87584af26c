import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from '@platform/postgres';
import { type HttpAnswer, until } from '@platform/testing';
import { specCall } from '../operator.ts';
import { organizationHosts } from '../platform.ts';
import { type Caller, outcome, startTokenWorld, type TokenWorld } from './token-world.ts';
import { atOnce, narrowToken } from './world.ts';

let world: TokenWorld;
beforeAll(async () => {
  world = await startTokenWorld({ hosts: organizationHosts, replicas: { 'orgs-teams': 2 } });
}, 120_000);
afterAll(async () => world?.[Symbol.asyncDispose]());

const created = [200, '{"message":"token created"}'];
const token = { name: 'AKIA', sha1: 'very:secret' };

describe.each([
  ['the sync token', '/api/v1/orgs/acme/manager/sync-token', false],
  ['the sync token of a caller (deprecated)', '/api/v1/orgs/acme/manager/user-token', true],
])('%s', (_what, path, deprecated) => {
  beforeEach(() => world.database.execute(sql`delete from sync_token`));

  it('is set, read in full, replaced and removed', async () => {
    const { owner } = world.as;
    expect(outcome(await owner.get(path))).toEqual([404, 'not_found']);
    for (const [id, expected] of [['ignored', [422, 'validation_failed']], [9, created]]) {
      expect(outcome(await owner.post(path, { json: { ...token, id, token_last_eight: 'x' } }))).toEqual(expected);
    }
    expect((await owner.get(path)).json()).toEqual({
      userID: deprecated ? world.ids.owner : world.systemAdminId, orgID: world.organizations.acme, orgName: 'acme',
      accessKeyID: 'AKIA', secretAccessKey: 'very:secret',
    });
    expect(outcome(await owner.post(path, { json: { sha1: 'key:sec:ret' } }))).toEqual(created);
    expect((await owner.get(path)).json()).toMatchObject({ accessKeyID: 'key', secretAccessKey: 'sec:ret' });
    expect(outcome(await owner.delete(path))).toEqual([200, '']);
    for (const verb of ['DELETE', 'GET']) expect(outcome(await owner.send(verb, path))).toEqual([404, 'not_found']);
  });

  it.each([
    [{ name: '', sha1: 'key:secret' }, 'key', 'secret'], [{ name: null, sha1: 'key:secret' }, 'key', 'secret'],
    [{ sha1: 'key::' }, 'key', ':'], [{ name: 'n', sha1: 'no colon' }, 'n', 'no colon'],
    [{ name: 'ключ', sha1: '🔑' }, 'ключ', '🔑'],
  ])('%j is the key %s with the secret %s', async (json, accessKeyID, secretAccessKey) => {
    expect(outcome(await world.as.owner.post(path, { json }))).toEqual(created);
    expect((await world.as.owner.get(path)).json()).toMatchObject({ accessKeyID, secretAccessKey });
  });

  it.each([
    [{}, 'sha1'], [{ name: 'n' }, 'sha1'], [{ name: 'n', sha1: null }, 'sha1'], [{ name: 'n', sha1: '' }, 'sha1'],
    [{ sha1: 'no colon' }, 'sha1'], [{ sha1: ':secret' }, 'sha1'], [{ sha1: 'key:' }, 'sha1'],
    [{ name: 'x'.repeat(256), sha1: 's' }, 'name'], [{ name: 'n', sha1: 'x'.repeat(4_097) }, 'sha1'],
  ])('%j is refused for %s', async (json, path422) => {
    const answer = await world.as.owner.post(path, { json });
    expect(outcome(answer)).toEqual([422, 'validation_failed']);
    expect(answer.json<{ errors: { path: string }[] }>().errors.map(({ path: at }) => at)).toEqual([path422]);
    expect(outcome(await world.as.owner.get(path))).toEqual([404, 'not_found']);
  });

  it('needs a multi-cluster manager, which is looked at after the body', async () => {
    const [elsewhere, { otherOwner }] = [path.replace('acme', 'other'), world.as];
    expect(outcome(await otherOwner.post(elsewhere, { json: token }))).toEqual([400, 'not_manager_origin']);
    expect(outcome(await otherOwner.post(elsewhere, { json: {} }))).toEqual([422, 'validation_failed']);
    expect(outcome(await otherOwner.get(elsewhere))).toEqual([404, 'not_found']);
    expect(outcome(await otherOwner.delete(elsewhere))).toEqual([404, 'not_found']);
  });

  it.each<[Caller, number, number, number]>([
    ['editor', 200, 200, 200], ['siteAdmin', 200, 404, 200], ['systemAdmin', 403, 200, 403], ['viewer', 403, 403, 403],
    ['otherOwner', 404, 404, 404], ['stranger', 404, 404, 404], ['nobody', 401, 401, 401],
  ])('%s: set %d, read %d, remove %d', async (caller, set, read, remove) => {
    await world.as.owner.post(path, { json: token });
    const client = world.as[caller];
    // A caller who may not set a token has none of their own to read.
    const readOwn = set === 200 ? 200 : deprecated && read === 200 ? 404 : read;
    const answers = [await client.post(path, { json: token }), await client.get(path), await client.delete(path)];
    expect(answers.map(({ status }) => status)).toEqual([set, readOwn, remove]);
  });

  it('is stored so that nobody reads it in the database', async () => {
    await world.as.owner.post(path, { json: token });
    const rows = await world.database.query(sql<{ row: string }>`select sync_token::text as "row" from sync_token`);
    expect(rows).toHaveLength(1);
    const texts = [token.sha1, Buffer.from(token.sha1).toString('hex'), Buffer.from(token.sha1).toString('base64')];
    for (const text of texts) expect(rows[0]!.row).not.toContain(text);
    const question = { account: 'acme', action: '', pageSize: 1_000, pageToken: '' };
    const { entries } = await world.operator.admin.listAudit(question, specCall());
    expect(entries.some(({ action }) => action === 'sync_token.set')).toBe(true);
    expect(JSON.stringify(entries)).not.toContain(token.sha1);
  });

  it('of 30 set at once one remains, whole', async () => {
    const answers = await atOnce(30, (index) =>
      world.as.owner.post(path, { json: { name: `key-${index}`, sha1: `secret-${index}` } }));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const { accessKeyID, secretAccessKey } = (await world.as.owner.get(path)).json<Record<string, string>>();
    expect(secretAccessKey).toBe(accessKeyID!.replace('key', 'secret'));
    expect(await world.database.query(sql`select from sync_token`)).toHaveLength(1);
  });

  it(deprecated ? 'says that it is deprecated, and what comes after it' : 'is not deprecated', async () => {
    await world.as.owner.post(path, { json: token });
    const { owner } = world.as;
    const successor = /^<[^>]*\/api\/v1\/orgs\/acme\/manager\/sync-token>; rel="successor-version"$/;
    const expected = deprecated
      ? ['@1767225600', 'Fri, 31 Dec 2027 23:59:59 GMT', expect.stringMatching(successor)]
      : [undefined, undefined, undefined];
    for (const answer of [await owner.get(path), await owner.post(path, { json: token }), await owner.delete(path)]) {
      expect(['Deprecation', 'Sunset', 'Link'].map((name) => answer.header(name))).toEqual(expected);
    }
  });
});

const path = '/api/v1/orgs/acme/tokens/access-tokens/';
const busPath = '/api/v1/orgs/acme/tokens/bus-tokens/';

describe('a sync token of a caller', () => {
  const path = '/api/v1/orgs/acme/manager/user-token';

  it('belongs to one user, and goes when the user leaves', async () => {
    await world.as.owner.post(path, { json: { name: 'owners', sha1: 's' } });
    await world.as.editor.post(path, { json: { name: 'editors', sha1: 's' } });
    const { ids } = world;
    expect((await world.as.owner.get(path)).json()).toMatchObject({ accessKeyID: 'owners', userID: ids.owner });
    expect((await world.as.editor.get(path)).json()).toMatchObject({ accessKeyID: 'editors', userID: ids.editor });
    const memberships = await world.database.query(sql<{ teamId: number }>`
      delete from team_member where user_id = ${ids.editor} returning team_id as "teamId"`);
    await world.database.execute(sql`
      insert into team_member (team_id, user_id, organization_id)
      values (${memberships[0]!.teamId}, ${ids.editor}, ${world.organizations.acme})`);
    expect((await world.as.editor.get(path)).status).toBe(404);
    expect((await world.as.owner.get(path)).status).toBe(200);
  });
});

describe('access tokens of an organization', () => {
  interface Info { id: number; [field: string]: unknown }
  const list = async () => (await world.as.viewer.get(path)).json<Info[]>();
  /** Reads acme with this token. */
  const use = (value: string) =>
    world.as.nobody.get('/api/v1/orgs/acme', { headers: { authorization: `token ${value}` } });
  const make = (organization: string, expiresInSeconds = 0) =>
    world.operator.admin.createToken({ user: '', organization, name: 'purpose', expiresInSeconds }, specCall());

  it('are listed without their values', async () => {
    const { id, token: value } = await make('acme', 3_600);
    const info = (await list()).find((one) => one.id === id)!;
    const now = Date.now() / 1_000;
    expect(info).toEqual({
      id, uid: world.systemAdminId, name: 'purpose', token: '', tokenLastEight: value.slice(-8), scopes: ['all'],
      createdAt: expect.any(Number), updatedAt: expect.any(Number), expDate: expect.any(Number),
      hasRecentActivity: false, hasUsed: false,
    });
    expect(Math.abs(Number(info['createdAt']) - now)).toBeLessThan(60);
    expect(Number(info['expDate']) - Number(info['createdAt'])).toBeGreaterThanOrEqual(3_599);
    expect(JSON.stringify(await list())).not.toContain(value);
  });

  it('tell whether they were used, ever and within 7 days', async () => {
    const { id, token: value } = await make('acme');
    const flags = async () => {
      const { hasUsed, hasRecentActivity, expDate } = (await list()).find((one) => one.id === id)!;
      return [hasUsed, hasRecentActivity, expDate];
    };
    expect(await flags()).toEqual([false, false, 0]);
    expect((await use(value)).status).toBe(200);
    await until(async () => (await flags())[0] === true, { what: 'the use is written' });
    expect(await flags()).toEqual([true, true, 0]);
    await world.database.execute(sql`update access_token set last_used_at = now() - interval '8 days' where id = ${id}`);
    expect(await flags()).toEqual([true, false, 0]);
  });

  it('are listed page by page, by ascending id', async () => {
    await make('acme');
    const all = (await list()).map(({ id }) => id);
    expect(all.length).toBeGreaterThan(2);
    expect(all).toEqual([...all].sort((one, other) => one - other));
    const page = await world.as.viewer.get(`${path}?limit=2&page=2`);
    expect(page.json<Info[]>().map(({ id }) => id)).toEqual(all.slice(2, 4));
    expect(page.header('X-Total-Count')).toBe(String(all.length));
    expect(page.header('Link')).toContain('rel="prev"');
    const past = await world.as.viewer.get(`${path}?limit=50&page=9`);
    expect([past.text, past.header('X-Total-Count')]).toEqual(['[]', String(all.length)]);
  });

  it('end at once on every replica', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id, token: value } = await make('acme');
      const statuses = async () => (await atOnce(3, () => use(value))).map(({ status }) => status);
      expect(await statuses()).toEqual([200, 200, 200]);
      expect(outcome(await world.as.editor.delete(`${path}${id}`))).toEqual([200, '']);
      expect(await statuses()).toEqual([401, 401, 401]);
      expect(outcome(await world.as.editor.delete(`${path}${id}`))).toEqual([404, 'not_found']);
    }
  });

  it.each<[Caller, number, number]>([
    ['owner', 200, 200], ['editor', 200, 200], ['viewer', 200, 403], ['systemAdmin', 200, 403], ['siteAdmin', 200, 200],
    ['otherOwner', 404, 404], ['stranger', 404, 404], ['nobody', 401, 401],
  ])('%s: list %d, end %d', async (caller, listed, ended) => {
    const { id } = await make('acme');
    expect((await world.as[caller].get(path)).status).toBe(listed);
    expect((await world.as[caller].delete(`${path}${id}`)).status).toBe(ended);
    expect((await list()).some((one) => one.id === id)).toBe(ended !== 200);
  });

  it('of another organization, and those of people, are not there', async () => {
    const foreign = await make('other');
    const [own] = await world.database.query(sql<{ id: number }>`select id from access_token where account_id = ${world.ids.owner}`);
    for (const id of [foreign.id, own!.id, 999_999]) {
      expect(outcome(await world.as.owner.delete(`${path}${id}`))).toEqual([404, 'not_found']);
    }
    expect((await list()).some(({ id }) => id === foreign.id)).toBe(false);
    expect((await world.as.owner.get(path)).status).toBe(200);
    const theirs = (await world.as.otherOwner.get('/api/v1/orgs/other/tokens/access-tokens/')).json<Info[]>();
    expect(theirs.map(({ id }) => id)).toContain(foreign.id);
  });

  it.each(['0', '-1', 'x', '01', '9007199254740992'])('the id %s is refused', async (id) => {
    expect(outcome(await world.as.owner.delete(`${path}${id}`))).toEqual([400, 'invalid_parameter']);
  });

  it('are 400 where the system admin is missing', async () => {
    const created = await world.as.owner.post('/api/v1/orgs', { json: { username: 'headless' } });
    await world.database.execute(sql`delete from account where system_admin_of = ${created.json<{ id: number }>().id}`);
    for (const [verb, at] of [
      ['GET', 'access-tokens/'], ['DELETE', 'access-tokens/1'], ['GET', 'bus-tokens/'], ['POST', 'bus-tokens/1/revoke'],
    ] as const) {
      const answer = await world.as.owner.send(verb, `/api/v1/orgs/headless/tokens/${at}`);
      expect(outcome(answer)).toEqual([400, 'system_admin_missing']);
    }
  });
});

it('a bus account that is not there cannot be revoked, and its path has no other name', async () => {
  expect(outcome(await world.as.owner.post(`${busPath}999999/revoke`))).toEqual([400, 'bus_user_not_found']);
  expect((await world.as.owner.get('/api/v1/orgs/acme/tokens/nats-tokens/')).text).toBe('{"message":"Not Found"}');
});

describe('making tokens of an organization (open-points 18.1)', () => {
  const busToken = { clusterUID: '1b671a64-40d5-491e-99b0-da01ff1f3341', productName: 'productdb' };
  const codeOf = async (answer: Promise<HttpAnswer>) => outcome(await answer);

  it('answers the value once, and the token does what it was made for', async () => {
    const scopes = ['read:contract', 'read:organization'];
    const made = await world.as.owner.post(path, { json: { name: 'reports', scopes: scopes.toReversed() } });
    expect(made.status).toBe(201);
    const { id, token, ...rest } = made.json<{ id: number; token: string; expDate: number }>();
    const uid = world.systemAdminId;
    expect(rest).toMatchObject({ name: 'reports', tokenLastEight: token.slice(-8), scopes, hasUsed: false, uid });
    expect(Math.round((rest.expDate - Date.now() / 1000) / 86_400)).toBe(90);
    const holder = world.platform.http.with({ authorization: `Bearer ${token}` });
    expect((await holder.get('/api/v1/orgs/acme/teams')).status).toBe(200);
    expect(await codeOf(holder.patch('/api/v1/orgs/acme', { json: {} }))).toEqual([403, 'missing_scope']);
    expect(await codeOf(holder.post(path, { json: { name: 'more' } }))).toEqual([403, 'missing_scope']);
    const listed = (await world.as.owner.get(path)).json<{ id: number }[]>();
    expect(listed.find((one) => one.id === id)).toMatchObject({ token: '', scopes });
    // A system admin cannot make tokens, and cannot sign in.
    expect(await codeOf(world.as.systemAdmin.post(path, { json: { name: 'own' } }))).toEqual([403, 'forbidden']);
  });

  it('is for those with the relation who hold all that the token will hold', async () => {
    const json = { name: 'theirs' };
    const { owner, editor, viewer, stranger, siteAdmin } = world.as;
    for (const one of [viewer, editor]) expect(await codeOf(one.post(path, { json }))).toEqual([403, 'forbidden']);
    expect(await codeOf(stranger.post(path, { json }))).toEqual([404, 'not_found']);
    const teams = (await owner.get('/api/v1/orgs/acme/teams')).json<{ id: number; name: string }[]>();
    const role = {
      name: 'token makers', teamIDs: [teams.find(({ name }) => name === 'Editors')!.id],
      permissions: ['create access tokens', 'create bus tokens'].map((action) => ({ namespace: 'token_mgmt', action })),
    };
    expect((await owner.post('/api/v1/authz/roles?org=acme', { json: role })).status).toBe(201);
    expect(await codeOf(editor.post(path, { json }))).toEqual([403, 'privilege_escalation']);
    expect(await codeOf(editor.post(busPath, { json: busToken }))).toEqual([403, 'privilege_escalation']);
    expect((await siteAdmin.post(path, { json })).status).toBe(201);
  });

  it.each([
    [{ name: '' }, [422, 'validation_failed']],
    [{ name: 'x', scopes: ['read:planet'] }, [422, 'validation_failed']],
    [{ name: 'x', expDate: 1 }, [400, 'invalid_value']],
    [{ name: 'x', expDate: -1 }, [400, 'invalid_value']],
    [{ name: 'x', expDate: 99_999_999_999_999 }, [400, 'invalid_value']],
  ])('%j is refused', async (json, expected) => {
    expect(await codeOf(world.as.owner.post(path, { json }))).toEqual(expected);
  });

  it('by a narrow token gives no more than it has, and no bus token', async () => {
    const scopes = ['write:organization', 'read:usage'];
    const narrow = world.platform.http.with({ authorization: `Bearer ${await narrowToken(world.as.owner, ...scopes)}` });
    const soon = Math.floor(Date.now() / 1000) + 86_400;
    const make = (json: object) => narrow.post(path, { json: { name: 'n', expDate: soon, ...json } });
    expect((await make({ scopes: ['read:organization'] })).status).toBe(201);
    for (const more of [{}, { scopes: ['write:usage'] }, { scopes, expDate: soon + 365 * 86_400 }]) {
      expect(await codeOf(make(more))).toEqual([403, 'missing_scope']);
    }
    expect(await codeOf(narrow.post(busPath, { json: busToken }))).toEqual([403, 'missing_scope']);
  });
});
