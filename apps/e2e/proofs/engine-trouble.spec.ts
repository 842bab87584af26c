import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from '@platform/postgres';
import { as, openFgaStore, seeded, tcpProxy, type TcpProxy, until } from '@platform/testing';
import { engineCalls } from '../src/admin-http.ts';
import { type Organization, type Person, startWorld, type World } from '../src/orgs/world.ts';
import { lyingEngine, type LyingEngine } from './authorization/lying-engine.ts';

let world: World;
let proxy: TcpProxy;
let liar: LyingEngine;
let owner: Person, viewer: Person, editor: Person;
let acme: Organization;

beforeAll(async () => {
  const { url } = await openFgaStore();
  proxy = await tcpProxy(url);
  liar = await lyingEngine(`http://${proxy.address}`);
  world = await startWorld({
    replicas: { 'orgs-teams': 2 }, settings: { 'openfga.url': liar.url, 'log.level': 'error' },
  });
  [owner, viewer, editor] = [await world.person(), await world.person(), await world.person()];
  acme = await world.organization(owner);
  await world.join(owner, acme.teams.Viewers, viewer);
  await world.join(owner, acme.teams.Editors, editor);
}, 180_000);
afterAll(async () => {
  await world?.[Symbol.asyncDispose]();
  await liar?.[Symbol.asyncDispose]();
});

const path = () => `/api/v1/orgs/${acme.username}`;
const listTeams = (person: Person) => person.http.get(`${path()}/teams`);
const createTeam = (person: Person) =>
  person.http.post(`${path()}/teams`, { json: { name: 'owners', type: 'kubernetes', permission: 'read' } });
const allowed = (person: Person, ...types: ('organization' | 'team')[]) =>
  person.http.post(`/api/v1/authz/objects/allowed-permissions?org=${acme.username}`, {
    json: types.map((objectType) => ({
      objectType, objectID: objectType === 'team' ? acme.teams.Editors : acme.id,
    })),
  });
/** Makes every replica forget its decisions about a team, as after a restart. */
const forget = (team: number) =>
  world.database.execute(sql`update team set revision = gen_random_uuid() where id = ${team}`);
const setRight = (team: string, id: number, permission: string) =>
  owner.http.patch(`/api/v1/teams/${id}`, { json: { name: team, permission } });

/**
 * Requests that every replica can answer from memory after a first time. A team cannot be named `owners`: callers who
 * may create teams get 400, others 403.
 */
const requests = [
  () => listTeams(owner), () => listTeams(viewer), () => createTeam(owner), () => createTeam(viewer),
  () => allowed(owner, 'organization', 'team'), () => allowed(viewer, 'organization', 'team'),
];
const answers = [200, 200, 400, 403, 200, 200];

/**
 * Asks until every replica answers from memory: several bursts of all requests in a row do not reach the engine. The
 * order is shuffled because replicas take turns: in a fixed order a replica could get only every second kind of
 * request.
 */
async function known(): Promise<void> {
  const { shuffle } = seeded(1);
  let quiet = 0;
  await until(async () => {
    const before = await engineCalls(world.platform);
    const kinds = shuffle(Array.from({ length: 8 * requests.length }, (_, index) => index % requests.length));
    const burst = await Promise.all(kinds.map(async (kind) => (await requests[kind]!()).status === answers[kind]));
    quiet = burst.every(Boolean) && (await engineCalls(world.platform)) === before ? quiet + 1 : 0;
    return quiet === 5;
  }, { what: 'every replica has decided', within: 40_000 });
}

describe('a guarded request whose decision is known', () => {
  it('makes no call to the engine, whether it is allowed or refused', async () => {
    await known();
    const before = await engineCalls(world.platform);
    const rounds = Array.from({ length: 50 }, () => Promise.all(requests.map((request) => request())));
    for (const round of await Promise.all(rounds)) expect(round.map(({ status }) => status)).toEqual(answers);
    expect(await engineCalls(world.platform)).toBe(before);
  }, 120_000);

  it('that was refused once is refused by a flood of requests with one question for each replica', async () => {
    await forget(acme.teams.Viewers);
    const before = await engineCalls(world.platform);
    const flood = await Promise.all(Array.from({ length: 200 }, () => createTeam(viewer)));
    expect(new Set(flood.map(({ status }) => status))).toEqual(new Set([403]));
    // One decision needs one BatchCheck and one Read of the fence; there are two replicas.
    expect(await engineCalls(world.platform) - before).toBeLessThanOrEqual(4);
  }, 60_000);
});

describe.each<[string, () => Promise<unknown> | void]>([
  ['takes 5 s for each piece', () => proxy.delay(5_000)],
  ['answers nothing', () => proxy.hold()],
  ['is down', () => proxy.refuse()],
  ['cuts its answers short', () => proxy.cutAfter(0)],
  ['answers an empty object', () => liar.lie('{}')],
  ['answers what is no JSON', () => liar.lie('<html>busy</html>')],
  ['says yes to everything, in other words', () => liar.lie('{"allowed":true,"result":{"c0":{"allowed":"true"}}}')],
])('while the engine %s', (_what, trouble) => {
  it('known decisions go on, others are 503 in time, and all is well again by itself', async () => {
    await known();
    const before = (await allowed(viewer, 'organization', 'team')).json();
    await forget(acme.teams.Editors);
    await trouble();

    const statuses = await Promise.all(requests.map(async (request) => (await request()).status));
    expect(statuses).toEqual(answers);
    expect((await allowed(viewer, 'organization', 'team')).json()).toEqual(before);

    const begun = performance.now();
    const unknown = await Promise.all([listTeams(editor), createTeam(editor), allowed(editor, 'organization', 'team')]);
    expect(performance.now() - begun).toBeLessThan(12_000);
    expect(unknown.map(({ status }) => status)).toEqual([503, 503, 503]);
    expect(unknown.map((answer) => answer.header('retry-after'))).toEqual(['1', '1', '1']);

    // A change in the meantime is committed, and never answered from an earlier decision.
    expect((await setRight('Viewers', acme.teams.Viewers, 'custom')).status).toBe(200);
    expect((await listTeams(viewer)).status).toBe(503);
    expect((await allowed(viewer, 'team')).status).toBe(503);

    liar.lie(undefined);
    await proxy.release();
    await until(async () => (await listTeams(viewer)).status === 403, { what: 'the change is known', within: 20_000 });
    await until(async () => (await listTeams(editor)).status === 200, { what: 'it is allowed', within: 20_000 });
    expect((await setRight('Viewers', acme.teams.Viewers, 'read')).status).toBe(200);
    await until(async () => (await listTeams(viewer)).status === 200, { what: 'it is allowed again', within: 20_000 });
    const drift = await world.operator.admin.checkDrift({ organizationId: acme.id, limit: 5 }, as(undefined, 20_000));
    expect(drift.differences).toEqual([]);
  }, 120_000);
});
