import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { addJobs, runNow } from '@platform/jobs';
import { sql } from '@platform/postgres';
import { until } from '@platform/testing';
import { type FakeReply, type FakeServer, fakeServer } from '../metricsproxy/fake-server.ts';
import { specCall } from '../operator.ts';
import { outcome } from '../orgs/world.ts';
import { type ClaimsWorld, newId, pathOf, startClaimsWorld } from './claims-world.ts';

let marketplace: ClaimsWorld;

const standalone = (given?: { readonly claimable: boolean }) => marketplace.standalone(given);
const check = (id: string, replica: 0 | 1 = 0) => marketplace.listeners[replica].get(pathOf(id));
/** Moves the end of the window into the past. */
const endWindow = (id: string) => marketplace.rows.execute(sql`
  update claim_check set ended_at = ended_at - make_interval(secs => window_seconds) where id = ${id}`);
const windowOf = async (id: string) => (await marketplace.rows.one(sql<{ seconds: number }>`
  select window_seconds as seconds from claim_check where id = ${id}`)).seconds;

describe('with a central marketplace server', () => {
  let central: FakeServer;
  let reply: (id: string) => FakeReply | Promise<FakeReply>;
  const asked = (id: string) => central.requests.filter((request) => request === `GET ${pathOf(id)}`).length;
  const says = (isClaimable: boolean) => (id: string) => ({ status: 200, json: { isClaimable, claimID: id } });

  const stack = new AsyncDisposableStack();

  beforeAll(async () => {
    central = stack.use(await fakeServer((_request, path) => reply(path.split('/').at(-2)!)));
    const settings = { 'marketplace.centralURL': central.url };
    marketplace = stack.use(await startClaimsWorld({ of: ['marketplace-listener'], because: 'killed' }, settings));
  }, 120_000);
  beforeEach(() => void (reply = says(false)));
  afterAll(() => stack.disposeAsync());

  it('knows no other ids than those of standalone organizations', async () => {
    const { claimId } = await standalone();
    for (const id of [newId(), claimId.toLowerCase(), 'x', 'A'.repeat(27), '%C3%84']) {
      const answer = await check(id);
      expect([answer.status, answer.json()]).toEqual([404, {
        message: expect.any(String), code: 'not_found', requestId: answer.header('x-request-id'),
      }]);
      expect(asked(id)).toBe(0);
    }
    for (const id of ['a%00b', '%ff', '%zz']) expect(outcome(await check(id))).toBe('400 invalid_parameter');
    expect(await marketplace.rows.query(sql`select from claim_check`)).toEqual([]);
  });

  it('evaluates once in a window, which doubles from 30 s to 10 min while the answer is no', async () => {
    const { claimId } = await standalone();
    for (const seconds of [30, 60, 120, 240, 480, 600, 600]) {
      const answer = await check(claimId);
      expect([answer.status, answer.json()]).toEqual([200, { isClaimable: false, claimID: claimId }]);
      expect(await windowOf(claimId)).toBe(seconds);
      const before = asked(claimId);
      for (const replica of [0, 1] as const) {
        const early = await check(claimId, replica);
        expect(outcome(early)).toBe('429 retry_backoff');
        const left = Number(early.header('retry-after'));
        expect(left).toBeGreaterThan(seconds - 20);
        expect(left).toBeLessThanOrEqual(seconds);
        expect(early.header('ratelimit')).toBe(`"claimable-check";r=0;t=${left}`);
        expect(early.header('ratelimit-policy')).toBe(`"claimable-check";q=1;w=${seconds}`);
      }
      expect(asked(claimId)).toBe(before);
      await endWindow(claimId);
    }
    expect(asked(claimId)).toBe(7);
  });

  it('answers yes for what is flagged, also within the window, without another evaluation', async () => {
    const { claimId, username } = await standalone();
    expect((await check(claimId)).json()).toEqual({ isClaimable: false, claimID: claimId });
    await marketplace.claims.markClaimable({ claimId }, specCall());
    expect((await check(claimId, 1)).json()).toEqual({ isClaimable: true, claimID: claimId });
    expect(asked(claimId)).toBe(1);
    await marketplace.claims.putClaim({ claimId, username, fullName: '', claimable: false }, specCall());
    expect((await check(claimId)).json()).toEqual({ isClaimable: true, claimID: claimId });
  });

  it('flags what the evaluation finds claimable', async () => {
    const { claimId } = await standalone();
    const oldest = async () => (await marketplace.world.siteAdmin.http.get('/api/v1/orgs/claim/')).json();
    expect(await oldest()).not.toEqual({ isClaimable: true, claimID: claimId });
    reply = says(true);
    for (const replica of [0, 1, 0] as const) {
      expect((await check(claimId, replica)).json()).toEqual({ isClaimable: true, claimID: claimId });
    }
    expect(asked(claimId)).toBe(1);
    const { claimable } = await marketplace.claims.getClaim({ claimId }, specCall());
    expect(claimable).toBe(true);
  });

  it('is refused for what is claimed here, and for what the central server says is claimed', async () => {
    const { claimId } = await standalone({ claimable: true });
    await marketplace.world.database.execute(sql`update claim set claimed_at = now() where id = ${claimId}`);
    expect(outcome(await check(claimId))).toBe('409 already_claimed');
    const elsewhere = await standalone();
    reply = () => ({ status: 409, json: { message: 'claimed' } });
    for (const replica of [0, 1] as const) {
      expect(outcome(await check(elsewhere.claimId, replica))).toBe('409 already_claimed');
    }
    expect(asked(elsewhere.claimId)).toBe(1);
  });

  it('takes what the central server does not know for no', async () => {
    const { claimId } = await standalone();
    reply = () => ({ status: 404, json: { message: 'Not Found' } });
    expect((await check(claimId)).json()).toEqual({ isClaimable: false, claimID: claimId });
    expect(outcome(await check(claimId))).toBe('429 retry_backoff');
  });

  it.each<[string, FakeReply | 'cut' | 'nonsense']>([
    ['it fails', { status: 500, json: { message: 'a secret text' } }],
    ['it backs off', { status: 429, json: { message: 'later' } }],
    ['it redirects', { status: 302 }], ['it says nothing', { status: 200 }],
    ['it says something else', { status: 200, json: { isClaimable: 'yes' } }],
    ['it says null', { status: 200, json: null }],
    ['it says too much', { status: 200, json: { isClaimable: true, more: 'x'.repeat(100_000) } }],
    ['it answers no HTTP', 'nonsense'], ['it hangs up', 'cut'],
  ])('fails when the central server does: %s', async (_, given) => {
    const { claimId } = await standalone();
    using _trouble = typeof given === 'string' ? central.trouble(given, { about: [claimId] }) : undefined;
    if (typeof given !== 'string') reply = () => given;
    const failed = await check(claimId);
    expect([failed.status, failed.json()])
      .toEqual([500, { message: 'internal error', code: 'internal', requestId: expect.any(String) }]);
    expect(outcome(await check(claimId))).toBe('429 retry_backoff');
    expect(await windowOf(claimId)).toBe(30);
    expect(outcome(await marketplace.world.siteAdmin.http.get('/api/v1/orgs/claim/'))).toBe('200');
  });

  it('is asked once by many callers of both replicas, who share its delay', async () => {
    const { claimId } = await standalone();
    using slow = central.trouble('hang', { about: [claimId] });
    const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => check(claimId, index % 2 === 0 ? 0 : 1)));
    expect(new Set(answers.map(outcome))).toEqual(new Set(['504 deadline_exceeded']));
    expect([slow.met, asked(claimId)]).toEqual([1, 1]);
    expect(outcome(await check(claimId))).toBe('429 retry_backoff');
  }, 60_000);

  it('is asked once by many callers of both replicas, who share its answer', async () => {
    const { claimId } = await standalone();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    reply = async (id) => released.then(() => says(true)(id));
    const calls = Array.from({ length: 40 }, (_, index) => check(claimId, index % 2 === 0 ? 0 : 1));
    await until(() => asked(claimId) > 0, { what: 'the central server is asked' });
    release();
    const answers = await Promise.all(calls);
    expect(answers.map((answer) => answer.json()))
      .toEqual(answers.map(() => ({ isClaimable: true, claimID: claimId })));
    expect(asked(claimId)).toBe(1);
  });

  it('goes on at another replica when the process that evaluates is killed, and windows outlive a restart', async () => {
    const [{ claimId }, waiting] = [await standalone(), await standalone()];
    await check(waiting.claimId);
    const { replicas } = marketplace.world.platform.services['marketplace-listener'];
    const hanging = central.trouble('hang', { about: [claimId] });
    const lost = check(claimId, 0).catch(() => 'lost');
    await until(() => hanging.met > 0, { what: 'the central server is asked' });
    const joined = check(claimId, 1);
    await replicas[0].kill();
    expect(await lost).toBe('lost');
    hanging[Symbol.dispose]();
    reply = says(true);
    // The second replica takes over if the first one has not ended its evaluation by this time.
    await marketplace.rows.execute(sql`update claim_check set gives_up_at = now() where id = ${claimId}`);
    expect((await joined).json()).toEqual({ isClaimable: true, claimID: claimId });
    await replicas[0].restart();
    expect(outcome(await check(waiting.claimId, 0))).toBe('429 retry_backoff');
  }, 60_000);

  it('is about private organizations, which site admins may delete before the claim', async () => {
    const { claimId, username } = await standalone();
    const { siteAdmin, nobody } = marketplace.world;
    expect((await siteAdmin.http.get(`/api/v1/orgs/${username}`)).json()).toMatchObject({ visibility: 'private' });
    expect((await nobody.get(`/api/v1/orgs/${username}`)).status).toBe(404);
    expect(outcome(await check(claimId))).toBe('200');
    // The services that could own things of the organization do not run, so the deletion waits for their answers.
    expect(outcome(await siteAdmin.http.delete(`/api/v1/orgs/${username}`))).toBe('503 unavailable');
  });

  it('is forgotten 30 days after its last evaluation (open-points 13.3)', async () => {
    const [old, recent] = [await standalone(), await standalone()];
    for (const [{ claimId }, days] of [[old, 31], [recent, 29]] as const) {
      await check(claimId);
      await marketplace.rows.execute(sql`
        update claim_check set ended_at = ended_at - ${days} * interval '1 day',
               gives_up_at = gives_up_at - ${days} * interval '1 day' where id = ${claimId}`);
    }
    await addJobs(marketplace.rows, [runNow('retention')]);
    const known = async () => (await marketplace.rows.query(sql<{ id: string }>`
      select id from claim_check where id = any (${[old.claimId, recent.claimId]})`)).map(({ id }) => id);
    await until(async () => (await known()).length < 2, { within: 20_000, what: 'the old evaluation is deleted' });
    expect(await known()).toEqual([recent.claimId]);
    expect((await check(old.claimId)).json()).toEqual({ isClaimable: false, claimID: old.claimId });
    expect(await windowOf(old.claimId)).toBe(30);
  });

  it('looks at no credentials', async () => {
    const { claimId } = await standalone({ claimable: true });
    const headers = { authorization: 'Bearer nonsense' };
    expect((await marketplace.listeners[0].get(`${pathOf(claimId)}?token=other`, { headers })).status).toBe(200);
    expect((await marketplace.world.nobody.get(pathOf(claimId), { headers })).status).toBe(200);
  });
});
