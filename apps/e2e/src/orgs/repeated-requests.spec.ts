import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from '@platform/postgres';
import { type HttpAnswer, ownBus } from '@platform/testing';
import { ok } from '../contracts/contract-world.ts';
import { organizationHosts } from '../platform.ts';
import { atOnce, type Organization, outcome, type Person, startWorld, type World } from './world.ts';

let world: World, ada: Person, bob: Person, organization: Organization;
beforeAll(async () => {
  const { settings } = await ownBus();
  world = await startWorld({ hosts: organizationHosts, replicas: { 'orgs-teams': 2 }, settings });
  [ada, bob] = [await world.person('ada'), await world.person('bob')];
  organization = await world.organization(ada);
}, 120_000);
afterAll(async () => world?.[Symbol.asyncDispose]());

const keyed = (key: string = randomUUID()) => ({ 'idempotency-key': key });
const makeToken = (person: Person, name: string, headers: Record<string, string>, owner = person) =>
  person.http.post(`/api/v1/users/${owner.username}/tokens`, { json: { name }, headers });
const isReplay = (answer: HttpAnswer) => answer.header('idempotent-replayed') === 'true';
const tokensOf = async ({ id }: Person, name: string) => (await world.database.query(sql`
  select from access_token where account_id = ${id} and name = ${name}`)).length;

/** Makes a request twice, and expects the second answer to be a replay of the first. Returns the first answer. */
async function replayed(make: () => Promise<HttpAnswer>): Promise<HttpAnswer> {
  const [first, second] = [await make(), await make()];
  expect([outcome(first), isReplay(first), outcome(second), isReplay(second)]).toEqual(['201', false, '201', true]);
  expect(second.text).toBe(first.text);
  return first;
}

describe('a request that is repeated with its key (open-points 18.8)', () => {
  it('gets the first answer again, its secret included, and makes nothing', async () => {
    const headers = keyed();
    const first = await replayed(() => makeToken(ada, 'once', headers));
    expect((await world.as(first.json<{ sha1: string }>().sha1).get('/api/v1/user')).status).toBe(200);
    expect(await tokensOf(ada, 'once')).toBe(1);
  });

  it.each([
    ['tokens/access-tokens/', { name: 'kept' }],
    ['tokens/bus-tokens/', { clusterUID: '1b671a64-40d5-491e-99b0-da01ff1f3341', productName: 'productdb' }],
    ['', { username: 'kept', email: 'kept@example.org' }],
  ])('gets the first answer again: %s', async (path, json) => {
    const [who, at] = path === ''
      ? [world.siteAdmin, '/api/v1/admin/users'] : [ada, `/api/v1/orgs/${organization.username}/${path}`];
    const headers = keyed();
    await replayed(() => who.http.post(at, { json, headers }));
  });

  it('revokes a credential of the bus that nobody got because of a crash', async () => {
    const headers = keyed();
    const json = { clusterUID: randomUUID(), productName: 'productdb' };
    const make = () => ada.http.post(`/api/v1/orgs/${organization.username}/tokens/bus-tokens/`, { json, headers });
    expect(outcome(await make())).toBe('201');
    // The state that a crash leaves before the answer is stored.
    await world.database.execute(sql`
      update kept_answer
         set claim = gen_random_uuid(), claimed_until = now(), refused = null, sealed_by = null, sealed_secret = null
       where id = (select max(id) from kept_answer)`);
    const again = await make();
    expect([outcome(again), isReplay(again)]).toEqual(['201', false]);
    expect(await world.database.query(sql`
      select id, revoked_at is not null as "revoked" from bus_user where cluster_id = ${json.clusterUID}::uuid order by id`))
      .toEqual([{ id: expect.any(Number), revoked: true }, { id: again.json<{ id: number }>().id, revoked: false }]);
  });

  it('is refused with another body, and is another request for another account, path or query', async () => {
    const headers = keyed();
    await makeToken(ada, 'bound', headers);
    expect(outcome(await makeToken(ada, 'other', headers))).toBe('422 idempotency_key_reused');
    expect([outcome(await makeToken(bob, 'bound', headers)), await tokensOf(bob, 'bound')]).toEqual(['201', 1]);
    for (const [path, name] of [['ADA/tokens', 'elsewhere'], ['ada/tokens?x=1', 'asked']]) {
      const another = await ada.http.post(`/api/v1/users/${path}`, { json: { name }, headers });
      expect([outcome(another), isReplay(another)]).toEqual(['201', false]);
    }
  });

  it('is the same request whichever way its token comes', async () => {
    const json = { name: 'carried' };
    const headers = keyed();
    const first = await ada.http.post('/api/v1/users/ada/tokens', { json, headers });
    const second = await world.nobody.post(`/api/v1/users/ada/tokens?token=${ada.token}`, { json, headers });
    expect([second.text, isReplay(second)]).toEqual([first.text, true]);
  });

  it('is refused to those who have lost the right or the token', async () => {
    const helper = await world.person();
    await world.join(ada, organization.teams.Owners, helper);
    const headers = keyed();
    const json = { name: 'Helped', type: 'kubernetes', permission: 'read' };
    const make = () => helper.http.post(`/api/v1/orgs/${organization.username}/teams`, { json, headers });
    expect(outcome(await make())).toBe('201');
    await ada.http.delete(`/api/v1/teams/${organization.teams.Owners}/members/${helper.username}`);
    expect(outcome(await make())).toBe('403 not_org_member');
    await world.join(ada, organization.teams.Viewers, helper);
    expect(outcome(await make())).toBe('403 forbidden');
    await world.join(ada, organization.teams.Owners, helper);
    expect(isReplay(await make())).toBe(true);
    await world.database.execute(sql`delete from access_token where account_id = ${helper.id}`);
    expect(outcome(await make())).toBe('401 unauthenticated');
  });

  it('keeps refusals of the request, and none of the caller', async () => {
    const taken = keyed();
    await makeToken(bob, 'taken', {});
    expect(outcome(await makeToken(bob, 'taken', taken))).toBe('409 already_exists');
    await bob.http.delete('/api/v1/users/bob/tokens/taken');
    const again = await makeToken(bob, 'taken', taken);
    expect([outcome(again), isReplay(again), await tokensOf(bob, 'taken')]).toEqual(['409 already_exists', true, 0]);
    const headers = { ...keyed(), 'content-type': 'application/json' };
    const send = (body: string) => bob.http.post('/api/v1/users/bob/tokens', { body, headers });
    expect(outcome(await send('{"name":'))).toBe('422 malformed_body');
    expect(isReplay(await send('{"name":'))).toBe(true);
    expect(outcome(await send('{"name":"fine"}'))).toBe('422 idempotency_key_reused');
    const forbidden = keyed();
    for (const name of ['x', 'y']) expect(outcome(await makeToken(bob, name, forbidden, ada))).toBe('403 forbidden');
  });

  it('makes one thing of many at once on several replicas', async () => {
    const headers = keyed();
    const answers = await atOnce(40, () => makeToken(ada, 'many', headers));
    const made = answers.filter(({ status }) => status === 201);
    expect(new Set(made.map(({ text }) => text)).size).toBe(1);
    expect(made.filter((answer) => !isReplay(answer))).toHaveLength(1);
    expect(answers.map(outcome).filter((one) => !['201', '409 conflict'].includes(one))).toEqual([]);
    const last = await makeToken(ada, 'many', headers);
    expect([last.text, isReplay(last), await tokensOf(ada, 'many')]).toEqual([made[0]!.text, true, 1]);
  });

  it.each([
    ['empty', ['']], ['too long', ['k'.repeat(256)]], ['not printable', ['a\tb']], ['no ASCII', ['\u00e9']],
    ['given twice', ['a', 'b']],
  ])('is refused with a key that is %s', async (_what, key) => {
    const answer = await ada.http.post('/api/v1/users/ada/tokens', {
      json: { name: 'bad' }, headers: { 'idempotency-key': key.length === 1 ? key[0]! : key } as Record<string, string>,
    });
    expect([outcome(answer), await tokensOf(ada, 'bad')]).toEqual(['400 invalid_parameter', 0]);
  });

  it.each([255, 1])('takes a key of %i characters', async (length) => {
    expect(outcome(await makeToken(ada, `length ${length}`, keyed('~ '.repeat(127).slice(0, length - 1) + 'k')))).toBe('201');
  });
});

describe('where nothing is made (open-points 18.8)', () => {
  it.each([
    ['GET', '/api/v1/user'], ['GET', '/api/v1/version'], ['PATCH', '/api/v1/user/settings'], ['POST', '/auth/sign-out'],
    ['DELETE', '/api/v1/users/ada/tokens/none'], ['POST', '/api/v1/branding?org=org-1'],
  ])('%s %s refuses Idempotency-Key', async (method, path) => {
    const headers = { ...keyed(), origin: world.platform.http.baseUrl };
    const json = method === 'GET' || method === 'DELETE' ? {} : { json: {} };
    expect(outcome(await world.siteAdmin.http.send(method, path, { ...json, headers }))).toBe('400 invalid_parameter');
  });

  it.each([['GET', '/api/v1/user'], ['POST', '/api/v1/users/ada/tokens']])('%s %s refuses If-Match', async (method, path) => {
    const json = method === 'GET' ? {} : { json: { name: 'unmatched' } };
    const answer = await ada.http.send(method, path, { ...json, headers: { 'if-match': '*' } });
    expect(outcome(answer)).toBe('400 invalid_parameter');
  });

  it('refuses strangers first', async () => {
    expect(outcome(await world.nobody.get('/api/v1/user', { headers: keyed() }))).toBe('401 unauthenticated');
  });
});

describe('a change that depends on what was read (open-points 18.8)', () => {
  const named = () => `n-${randomUUID().slice(0, 8)}`;
  const make = async (path: string, json: object) =>
    ok<{ id: number }>(await ada.http.post(path, { json: { name: named(), ...json } }), 201).id;
  const team = async () => `/api/v1/teams/${await make(`/api/v1/orgs/${organization.username}/teams`, {
    type: 'kubernetes', permission: 'read',
  })}`;
  const role = async () => {
    const [query, permissions] = [`?org=${organization.username}`, [{ namespace: 'team_mgmt', action: 'view teams' }]];
    return `/api/v1/authz/roles/${await make(`/api/v1/authz/roles${query}`, { permissions })}${query}`;
  };
  /** Kinds of objects: the change of an object, and a function that makes an object and returns its path. */
  const kinds = [
    {
      what: 'an organization', verb: 'PATCH', change: (description: string) => ({ description }),
      make: async () => `/api/v1/orgs/${(await world.organization(ada)).username}`,
    },
    { what: 'a team', verb: 'PATCH', change: (description: string) => ({ name: 'Changed', description }), make: team },
    {
      what: 'a role', verb: 'PUT', make: role,
      change: (description: string) => ({ name: named(), description, permissions: [] }),
    },
  ];
  const match = (tag: string) => ({ 'if-match': tag });

  it.each(kinds)('$what: is not changed or deleted after another change', async ({ make: made, verb, change }) => {
    const path = await made();
    const tagOf = async () => (await ada.http.get(path)).header('etag')!;
    const send = (tag: string, text: string) => ada.http.send(verb, path, { json: change(text), headers: match(tag) });
    const first = await tagOf();
    expect(outcome(await send('"other"', 'lost'))).toBe('412 precondition_failed');
    expect(outcome(await send(`W/${first}`, 'lost'))).toBe('412 precondition_failed');
    const changed = await send(`"other", ${first}`, 'one');
    expect([outcome(changed), changed.header('etag')]).toEqual(['200', await tagOf()]);
    expect(outcome(await send(first, 'lost'))).toBe('412 precondition_failed');
    expect((await ada.http.get(path)).json()).toMatchObject({ description: 'one' });
    expect(outcome(await send('*', 'two'))).toBe('200');
    const current = await tagOf();
    expect((await ada.http.get(path, { headers: { 'if-none-match': current } })).status).toBe(304);
    expect((await ada.http.get(path, { headers: { 'if-none-match': first } })).status).toBe(200);
    expect(outcome(await ada.http.delete(path, { headers: match(first) }))).toBe('412 precondition_failed');
    expect((await ada.http.delete(path, { headers: match(current) })).status).toBeLessThan(300);
    expect(outcome(await ada.http.delete(path, { headers: match(current) }))).toBe('404 not_found');
  });

  it('refuses those without the right first', async () => {
    const path = await team();
    const stranger = await world.person();
    const headers = match('"other"');
    expect(outcome(await stranger.http.delete(path, { headers }))).toBe('404 not_found');
    await world.join(ada, organization.teams.Viewers, stranger);
    expect(outcome(await stranger.http.delete(path, { headers }))).toBe('403 forbidden');
  });
});
