import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from '@platform/postgres';
import { until } from '@platform/testing';
import { Webhook } from 'standardwebhooks';
import { organizationHosts } from '../platform.ts';
import { dueNow, eventOf, type Received, startReceiver, type WebhookReceiver } from './webhook-receiver.ts';
import { outcome, type PeopledOrganization, startWorld, type World } from './world.ts';

interface Endpoint { readonly id: number; readonly secret?: string; readonly active: boolean }
interface Delivery { readonly id: number; readonly state: string; readonly attempts: number; readonly status?: number }

const stack = new AsyncDisposableStack();
let receiver: WebhookReceiver, world: World;
beforeAll(async () => {
  receiver = stack.use(await startReceiver());
  world = stack.use(await startWorld({
    hosts: organizationHosts, ownProcess: { of: ['orgs-teams'], because: 'killed' }, settings: receiver.settings,
  }));
}, 60_000);
afterAll(() => stack.disposeAsync());

const members = ['member.added', 'member.removed'];
/** An organization with an endpoint for the events of its members. */
async function endpointAt(at: string) {
  const acme = await world.organizationWith(0);
  const json = { url: `${receiver.address}${at}`, events: members };
  const answer = await acme.boss.http.post(`${acme.path}/webhooks`, { json });
  expect(answer.status).toBe(201);
  return { acme, ...answer.json<Endpoint>() };
}
const shown = async ({ boss, path }: PeopledOrganization, id: number) =>
  (await boss.http.get(`${path}/webhooks`)).json<Endpoint[]>().find((one) => one.id === id)!;
const deliveries = async ({ boss, path }: PeopledOrganization, id: number) =>
  (await boss.http.get(`${path}/webhooks/${id}/deliveries`)).json<Delivery[]>();
const at = (path: string) => receiver.at(path);
/** Adds a new person to Viewers, which is an event. */
const addMember = async ({ boss, organization }: PeopledOrganization) =>
  world.join(boss, organization.teams.Viewers, await world.person());
/** Waits until a number of events is at a path. */
const delivered = (path: string, what = 'it is delivered', count = 1) =>
  until(async () => at(path).length === count, { what, within: 20_000 });
const eventually = (what: string, condition: () => Promise<boolean>) => until(async () => {
  await dueNow(world.database);
  return condition();
}, { what, within: 20_000 });

describe('deliveries (open-points 18.10)', () => {
  it('are CloudEvents that the library of Standard Webhooks verifies, in the order of their object', async () => {
    const { acme, secret, id } = await endpointAt('/order');
    const person = await world.person();
    const { Viewers } = acme.organization.teams;
    const member = `/api/v1/teams/${Viewers}/members/${person.username}`;
    for (let round = 0; round < 3; round += 1) {
      expect((await acme.boss.http.put(member)).status).toBe(204);
      expect((await acme.boss.http.delete(member)).status).toBe(204);
    }
    await delivered('/order', 'all are delivered', 6);
    expect(at('/order').map((one) => eventOf(one).type)).toEqual([...members, ...members, ...members]);
    for (const { body, headers } of at('/order')) {
      expect(headers['content-type']).toMatch(/^application\/cloudevents\+json/);
      expect(new Webhook(secret!).verify(body, headers as Record<string, string>)).toMatchObject({
        specversion: '1.0', id: headers['webhook-id'], subject: `team:${Viewers}/user:${person.id}`,
        data: { organizationID: acme.organization.id, teamID: Viewers, userID: person.id },
      });
    }
    await until(async () => (await deliveries(acme, id)).every(({ state, status, attempts }) =>
      state === 'delivered' && status === 204 && attempts === 1), { what: 'the log says so' });
  });

  it('are repeated after a failure, under one id, before the next of the object', async () => {
    const { acme, id } = await endpointAt('/again');
    const codes = [500, 302, 200];
    const location = `${receiver.address}/elsewhere`;
    receiver.answers.set('/again', (response) => response.writeHead(codes.shift() ?? 200, { location }).end());
    const { username } = await world.person();
    const member = `/api/v1/teams/${acme.organization.teams.Viewers}/members/${username}`;
    await acme.boss.http.put(member);
    await acme.boss.http.delete(member);
    await eventually('both are delivered', async () =>
      (await deliveries(acme, id)).every(({ state }) => state === 'delivered'));
    const got = at('/again').map(eventOf);
    expect(got.map(({ type }) => type)).toEqual(['member.added', 'member.added', 'member.added', 'member.removed']);
    expect(new Set(got.map((event) => event.id)).size).toBe(2);
    expect(at('/elsewhere')).toEqual([]);
    expect((await deliveries(acme, id)).map(({ attempts }) => attempts)).toEqual([1, 3]);
  });

  it('wait for the next attempt, also when an event of another object was delivered meanwhile', async () => {
    // Given an event that fails, and a later event of the same object
    const { acme, id } = await endpointAt('/blocked');
    receiver.answers.set('/blocked', (response) => response.writeHead(500).end());
    const { username } = await world.person();
    const member = `/api/v1/teams/${acme.organization.teams.Viewers}/members/${username}`;
    await acme.boss.http.put(member);
    await until(async () => (await deliveries(acme, id))[0]?.attempts === 1, { what: 'the event fails', within: 20_000 });
    await acme.boss.http.delete(member);
    await world.database.execute(sql`
      update webhook_delivery set next_at = now() + interval '1 hour' where webhook_id = ${id} and attempts > 0`);
    await world.database.execute(sql`update webhook set busy_until = null where id = ${id}`);

    // When an event of another object is delivered
    receiver.answers.delete('/blocked');
    await addMember(acme);
    await until(async () => (await deliveries(acme, id)).some(({ state }) => state === 'delivered'),
      { what: 'the other event is delivered', within: 20_000 });

    // Then the sender rests until the first event is due
    await until(async () => (await world.database.query(sql`
      select from _private_jobs where key = ${`webhook:${id}:later`} and run_at > now() + interval '30 minutes'`))
      .length === 1, { what: 'the next run is in an hour', within: 20_000 });
    expect((await deliveries(acme, id)).map(({ state }) => state)).toEqual(['delivered', 'waiting', 'waiting']);
  });

  it('end with 410, and go on when the endpoint is active again', async () => {
    const { acme, id } = await endpointAt('/gone');
    receiver.answers.set('/gone', (response) => response.writeHead(410).end());
    await addMember(acme);
    await eventually('it is off', async () => !(await shown(acme, id)).active);
    expect(await shown(acme, id)).toMatchObject({ active: false, disabledReason: 'gone' });
    const [failed] = await deliveries(acme, id);
    expect(failed).toMatchObject({ state: 'failed', status: 410 });
    const resend = `${acme.path}/webhooks/${id}/deliveries/${failed!.id}/resend`;
    expect(outcome(await acme.boss.http.post(resend, { json: {} }))).toBe('409 conflict');
    receiver.answers.delete('/gone');
    expect((await acme.boss.http.patch(`${acme.path}/webhooks/${id}`, { json: { active: true } })).status).toBe(200);
    expect(outcome(await acme.boss.http.post(resend, { json: {} }))).toBe('202');
    await eventually('it is sent again', async () => (await deliveries(acme, id))[0]!.state === 'delivered');
    expect(new Set(at('/gone').map((one) => eventOf(one).id)).size).toBe(1);
  });

  it('end after five days of failures', async () => {
    const { acme, id } = await endpointAt('/down');
    receiver.answers.set('/down', (response) => response.destroy());
    await addMember(acme);
    await eventually('it fails', async () => (await deliveries(acme, id))[0]!.attempts > 0);
    expect((await deliveries(acme, id))[0]!.status).toBeUndefined();
    await world.database.execute(sql`update webhook set failing_since = now() - interval '121 hours' where id = ${id}`);
    await eventually('it is off', async () => !(await shown(acme, id)).active);
    expect(await shown(acme, id)).toMatchObject({ disabledReason: 'failing' });
  });

  it('end when the maker of the endpoint may no longer read what they are about', async () => {
    const { acme, id } = await endpointAt('/rights');
    const [heir, member] = [await world.person(), await world.person()];
    await world.join(acme.boss, acme.organization.teams.Owners, heir);
    await delivered('/rights', 'the event of the heir is delivered');
    await heir.http.delete(`${acme.path}/members/${acme.boss.username}`);
    await world.join(heir, acme.organization.teams.Viewers, member);
    const seenBy = { ...acme, boss: heir };
    await eventually('it is off', async () => !(await shown(seenBy, id)).active);
    expect(await shown(seenBy, id)).toMatchObject({ disabledReason: 'rights_lost' });
    expect(at('/rights')).toHaveLength(1);
  });

  it('go on after the death of a sender: another run repeats the one on its way', async () => {
    const { acme, id } = await endpointAt('/held');
    receiver.answers.set('/held', () => undefined);
    await addMember(acme);
    await delivered('/held', 'it is on its way');
    const service = world.platform.services['orgs-teams'].replicas[0]!;
    await service.kill();
    receiver.answers.delete('/held');
    await service.restart();
    await until(async () => {
      // Ends the lease that the dead process had on the endpoint.
      await world.database.execute(sql`update webhook set busy_until = now() where id = ${id} and busy_until > now()`);
      await dueNow(world.database);
      return at('/held').length >= 2;
    }, { what: 'it is delivered', within: 40_000 });
    expect(new Set(at('/held').map((one) => eventOf(one).id)).size).toBe(1);
    await until(async () => (await deliveries(acme, id))[0]!.state === 'delivered', { what: 'the log says so', within: 20_000 });
  }, 90_000);
});

describe('secrets', () => {
  it('are shown once, and two are valid during a rotation', async () => {
    const { acme, id, secret } = await endpointAt('/rotated');
    expect(await shown(acme, id)).not.toHaveProperty('secret');
    const rotated = await acme.boss.http.patch(`${acme.path}/webhooks/${id}`, { json: { rotateSecret: true } });
    const { secret: newer } = rotated.json<Endpoint>();
    expect(newer).not.toBe(secret);
    await addMember(acme);
    await delivered('/rotated');
    const [{ body, headers }] = at('/rotated') as [Received];
    for (const one of [secret, newer]) new Webhook(one!).verify(body, headers as Record<string, string>);
    const stranger = new Webhook(`whsec_${Buffer.alloc(32).toString('base64')}`);
    expect(() => stranger.verify(body, headers as Record<string, string>)).toThrow();
    const stored = await world.database.query(sql<{ bytes: Buffer }>`
      select sealed_secret as bytes from webhook_secret where webhook_id = ${id}`);
    for (const { bytes } of stored) expect(bytes.includes(secret!.slice(6))).toBe(false);
  });
});

describe('endpoints', () => {
  it.each([
    ['http', 'http://hooks.example.org/'], ['a private address', 'https://10.0.0.1/'], ['this machine', 'https://127.0.0.2/'],
    ['metadata', 'https://169.254.169.254/'], ['credentials', 'https://a:b@hooks.example.org/'], ['nothing', ''],
  ])('are refused: %s', async (_what, url) => {
    const { boss, path } = await world.organizationWith(0);
    expect((await boss.http.post(`${path}/webhooks`, { json: { url, events: members } })).status).toBe(422);
  });

  it('need a known kind of event, and the right to manage them', async () => {
    const { boss, path, organization } = await world.organizationWith(0);
    const viewer = await world.person();
    await world.join(boss, organization.teams.Viewers, viewer);
    const json = { url: 'https://hooks.example.org/', events: members };
    const answered = await Promise.all([
      boss.http.post(`${path}/webhooks`, { json: { ...json, events: [] } }),
      boss.http.post(`${path}/webhooks`, { json: { ...json, events: ['member.danced'] } }),
      viewer.http.post(`${path}/webhooks`, { json }), viewer.http.get(`${path}/webhooks`),
      boss.http.get('/api/v1/admin/webhooks'),
    ]);
    expect(answered.map(({ status }) => status)).toEqual([422, 422, 403, 403, 403]);
  });

  it('of another organization are not found', async () => {
    const [{ acme, id }, other] = [await endpointAt('/others'), await world.organizationWith(0)];
    const path = `${other.path}/webhooks/${id}`;
    const answered = await Promise.all([
      other.boss.http.patch(path, { json: { active: false } }), other.boss.http.delete(path),
      other.boss.http.get(`${path}/deliveries`),
    ]);
    expect(answered.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect((await acme.boss.http.delete(`${acme.path}/webhooks/${id}`)).status).toBe(204);
  });

  it('of the site get the events of all organizations', async () => {
    const json = { url: `${receiver.address}/site`, events: ['role.created'] };
    expect((await world.siteAdmin.http.post('/api/v1/admin/webhooks', { json })).status).toBe(201);
    const { boss, organization: { username, id } } = await world.organizationWith(0);
    const role = { name: 'Readers', permissions: [{ namespace: 'team_mgmt', action: 'view teams' }], teamIDs: [] };
    expect((await boss.http.post(`/api/v1/authz/roles?org=${username}`, { json: role })).status).toBe(201);
    await delivered('/site');
    expect(eventOf(at('/site')[0]!).source).toMatch(new RegExp(`/organizations/${id}$`));
  });
});
