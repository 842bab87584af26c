import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addJobs, runNow } from '@platform/jobs';
import { connect, type Database, sql } from '@platform/postgres';
import { EventServiceService } from '@platform/proto/orgs/v1/event';
import { rpcClient, until } from '@platform/testing';
import { bind, type ContractWorld, day, inSeconds, ok, startContractWorld } from '../contracts/contract-world.ts';
import { specCall } from '../operator.ts';
import { type CloudEvent, dueNow, startReceiver, type WebhookReceiver } from './webhook-receiver.ts';
import { narrowToken, outcome, type PeopledOrganization, type Person } from './world.ts';

interface Endpoint { readonly id: number }
interface Delivery { readonly id: number; readonly event: string; readonly state: string; readonly reason?: string }

const stack = new AsyncDisposableStack();
let receiver: WebhookReceiver, world: ContractWorld, clusters: Database;
beforeAll(async () => {
  receiver = stack.use(await startReceiver());
  world = stack.use(await startContractWorld({ settings: receiver.settings }));
  const { url, schema } = world.platform.databases.clusters;
  clusters = stack.use(connect({ url, schema, applicationName: 'spec', maxConnections: 2 }));
}, 120_000);
afterAll(() => stack.disposeAsync());

const post = async (http: Person['http'], path: string, at: string, events: readonly string[]) =>
  ok<Endpoint>(await http.post(path, { json: { url: `${receiver.address}${at}`, events } }), 201);
/** An organization with an endpoint. */
async function ofOrganization(at: string, events: readonly string[]) {
  const acme = await world.organizationWith(0);
  return { acme, ...(await post(acme.boss.http, `${acme.path}/webhooks`, at, events)) };
}
const ofSite = (at: string, events: readonly string[]) =>
  post(world.siteAdmin.http, '/api/v1/admin/webhooks', at, events);
const came = (at: string, count: number) => receiver.came(at, count);
const handedOver = () => until(async () => (await world.rows.query(sql`select from event_outbox`)).length === 0, {
  what: 'all is handed over',
});
/** Issues a licence to a cluster, as the owner of an organization. */
async function issue({ boss, organization }: PeopledOrganization, cluster: string): Promise<void> {
  const path = `/api/v1/license/issue?org=${organization.username}`;
  expect((await boss.http.post(path, { json: { cluster } })).status).toBe(200);
}

/** Runs the schedule of notices, and waits until it has run and its events are handed over. */
async function look(): Promise<void> {
  const ran = async () => (await world.rows.one(sql<{ at: Date }>`
    select max(run_at) as "at" from _private_jobs where key = 'schedule:contract-notices'`)).at;
  await addJobs(world.rows, [runNow('contract-notices')]);
  await until(async () => (await ran()) > new Date(Date.now() + 5_000), { what: 'the schedule has run' });
  await handedOver();
}
const kindsOf = (events: readonly CloudEvent[]) => events.map(({ type }) => type);

describe('events of contracts', () => {
  const kinds = ['contract.created', 'contract.extended', 'contract.revoked'];

  it('come from each change, in order, to the endpoints of the owner and of the site', async () => {
    const { acme } = await ofOrganization('/contracts', kinds);
    await ofOrganization('/contracts-of-others', kinds);
    await ofSite('/contracts-of-all', kinds);
    const { id } = await world.contract(acme.organization.id, {
      name: 'Sold', end: inSeconds(day), emails: { contactPerson: ['someone@example.org'] },
    });
    const [admin, path, later] = [world.siteAdmin.http, `/api/v1/contracts/${id}`, inSeconds(2 * day)];
    ok(await admin.post(`${path}/extend`, { json: { end: later } }));
    ok(await admin.put(path, { json: { name: 'Renamed' } }));
    ok(await admin.put(path, { json: { end: later + 60 } }));
    expect((await admin.post(`${path}/revoke`)).status).toBe(200);
    const events = await came('/contracts', 4);
    expect(kindsOf(events)).toEqual(['contract.created', 'contract.extended', 'contract.extended', 'contract.revoked']);
    expect(new Set(events.map(({ id: event }) => event)).size).toBe(4);
    for (const { subject, source } of events) {
      expect(subject).toBe(`contract:${id}`);
      expect(source).toMatch(new RegExp(`/organizations/${acme.organization.id}$`));
    }
    expect(events[0]!.data).toMatchObject({ organizationID: acme.organization.id, contractID: id, name: 'Sold', product: 'platform' });
    expect(events[1]!.data['end']).toBe(`${new Date(later * 1000).toISOString().slice(0, 19)}Z`);
    expect(receiver.at('/contracts').map(({ body }) => body).join()).not.toContain('someone@example.org');
    expect(kindsOf(await came('/contracts-of-all', 4))).toEqual(kindsOf(events));
    expect(receiver.at('/contracts-of-others')).toEqual([]);
  });

  it('say that a contract that is deleted is revoked', async () => {
    const { acme } = await ofOrganization('/deleted', kinds);
    const { id } = await world.contract(acme.organization.id);
    expect((await world.siteAdmin.http.delete(`/api/v1/contracts/${id}`)).status).toBe(200);
    expect(kindsOf(await came('/deleted', 2))).toEqual(['contract.created', 'contract.revoked']);
  });

  it('of a user go to the site alone, with the user as the source', async () => {
    const person = await world.person();
    await ofSite('/of-a-user', ['contract.created']);
    await world.contract(person.id);
    const [event] = await came('/of-a-user', 1);
    expect(event!.source).toMatch(new RegExp(`/users/${person.id}$`));
    expect(event!.data).toMatchObject({ userID: person.id });
    expect(event!.data).not.toHaveProperty('organizationID');
  });

  it('say once that an end is near, also without contacts, and that a threshold is reached', async () => {
    const { acme } = await ofOrganization('/notices', ['contract.ending', 'quota.threshold_reached']);
    const { id } = await world.contract(acme.organization.id, {
      end: inSeconds(9 * day), quota: { enabled: true, metric: 'clusters', limit: 2, alertThresholds: [50, 100] },
    });
    await world.rows.execute(sql`update contract set created_at = now() - interval '60 days' where id = ${id}`);
    await look();
    expect((await came('/notices', 1))[0]).toMatchObject({ type: 'contract.ending', data: { contractID: id, daysLeft: 10 } });
    const cluster = randomUUID();
    await bind(world.siteAdmin.http, id, [{ cluster }]);
    await issue(acme, cluster);
    await look();
    const [, reached] = await came('/notices', 2);
    expect(reached).toMatchObject({
      type: 'quota.threshold_reached', subject: `contract:${id}`,
      data: { threshold: 50, metric: 'clusters', limit: 2, month: new Date().toISOString().slice(0, 7) },
    });
    await look();
    expect(receiver.at('/notices')).toHaveLength(2);
  });
});

describe('events of licences', () => {
  it('come when one is issued, and once when it ends soon without another', async () => {
    const { acme } = await ofOrganization('/licences', ['license.issued', 'license.ending']);
    const contract = await world.contract(acme.organization.id, { end: inSeconds(30 * day) });
    const cluster = randomUUID();
    await bind(world.siteAdmin.http, contract.id, [{ cluster }]);
    await issue(acme, cluster);
    const [issued] = await came('/licences', 1);
    expect(issued!.data).toMatchObject({
      organizationID: acme.organization.id, clusterUID: cluster, contractID: contract.id, licenseID: expect.stringMatching(/^\d+$/),
    });
    expect(JSON.stringify(issued)).not.toContain('BEGIN');
    // Seven days minus one hour have passed.
    const id = String(issued!.data['licenseID']);
    await world.rows.execute(sql`
      update licence set not_before = not_before - interval '167 hours', not_after = not_after - interval '167 hours'
       where id = ${id}::bigint`);
    await look();
    const [, ending] = await came('/licences', 2);
    expect(ending).toMatchObject({ type: 'license.ending', subject: `license:${id}`, data: { clusterUID: cluster } });
    // If the cluster has a later licence, no end is noted.
    await world.rows.execute(sql`update licence set end_noted_at = null where id = ${id}::bigint`);
    await issue(acme, cluster);
    await look();
    expect(kindsOf(await came('/licences', 3))).toEqual(['license.issued', 'license.ending', 'license.issued']);
    expect(await world.rows.query(sql`select from licence where id = ${id}::bigint and end_noted_at is not null`)).toEqual([]);
  });
});

describe('events of clusters', () => {
  it('say that one is imported, lost, found and lost again, and removed', async () => {
    const { acme } = await ofOrganization('/clusters', ['cluster.imported', 'cluster.lost', 'cluster.removed']);
    const { username: org } = acme.organization;
    const [name, uid] = ['eu-1', randomUUID()];
    ok(await acme.boss.http.post(`/api/v1/clusters?org=${org}`, { json: { name, uid } }), 201);
    const [imported] = await came('/clusters', 1);
    expect(imported).toMatchObject({ type: 'cluster.imported', data: { organizationID: acme.organization.id, clusterUID: uid, name } });
    const lookAfter = async (age: string) => {
      await clusters.execute(sql`
        update cluster set last_contact_at = now() - ${age}::interval where uid = ${uid}::uuid`);
      await addJobs(clusters, [runNow('lost-clusters')]);
    };
    await lookAfter('31 days');
    await came('/clusters', 2);
    await lookAfter('1 hour');
    await until(async () => (await clusters.query(sql`
      select from cluster where uid = ${uid}::uuid and lost_at is null`)).length === 1, { what: 'it is found' });
    await lookAfter('31 days');
    await came('/clusters', 3);
    expect((await acme.boss.http.delete(`/api/v1/clusters/${org}/${name}`)).status).toBe(204);
    expect(kindsOf(await came('/clusters', 4))).toEqual(['cluster.imported', 'cluster.lost', 'cluster.lost', 'cluster.removed']);
  });
});

describe('what an endpoint may have', () => {
  it('is bounded by the scopes of the token that makes or changes it', async () => {
    const acme = await world.organizationWith(0);
    const narrow = world.as(await narrowToken(acme.boss.http, 'write:organization'));
    const wide = world.as(await narrowToken(acme.boss.http, 'write:organization', 'read:contract'));
    const json = { url: `${receiver.address}/scopes`, events: ['member.added', 'contract.created'] };
    expect(outcome(await narrow.post(`${acme.path}/webhooks`, { json }))).toBe('403 missing_scope');
    const { id } = ok<Endpoint>(await wide.post(`${acme.path}/webhooks`, { json }), 201);
    // A change of any field needs a token with the scopes for all events of the endpoint.
    const path = `${acme.path}/webhooks/${id}`;
    expect(outcome(await narrow.patch(path, { json: { active: true } }))).toBe('403 missing_scope');
    await world.contract(acme.organization.id);
    expect(kindsOf(await came('/scopes', 1))).toEqual(['contract.created']);
    const admin = world.as(await narrowToken(world.siteAdmin.http, 'write:admin'));
    const site = await admin.post('/api/v1/admin/webhooks', { json: { ...json, events: ['cluster.lost'] } });
    expect(outcome(site)).toBe('403 missing_scope');
  });

  it('is read again at each delivery: without the scope the log says so, and the next event is sent', async () => {
    const { acme, id } = await ofOrganization('/again-without', ['contract.created', 'member.added']);
    await world.database.execute(sql`update webhook set scopes = '{read:organization}' where id = ${id}`);
    await world.contract(acme.organization.id);
    const log = async () => ok<Delivery[]>(await acme.boss.http.get(`${acme.path}/webhooks/${id}/deliveries`));
    await until(async () => (await log())[0]?.state === 'failed', { what: 'it is given up', within: 20_000 });
    const [refused] = await log();
    expect(refused).toMatchObject({ event: 'contract.created', reason: 'scope_missing', attempts: 0 });
    await world.join(acme.boss, acme.organization.teams.Viewers, await world.person());
    expect(kindsOf(await came('/again-without', 1))).toEqual(['member.added']);
    ok(await acme.boss.http.patch(`${acme.path}/webhooks/${id}`, { json: { active: true } }));
    ok(await acme.boss.http.post(`${acme.path}/webhooks/${id}/deliveries/${refused!.id}/resend`, { json: {} }), 202);
    expect(kindsOf(await came('/again-without', 2))).toEqual(['member.added', 'contract.created']);
    await until(async () => {
      await dueNow(world.database);
      return (await log()).every(({ state, reason }) => state === 'delivered' && reason === undefined);
    }, { what: 'the log says so' });
  });
});

describe('handing events over', () => {
  it('writes an event once, however often it comes, and none from before the endpoint', async () => {
    const { acme, id } = await ofOrganization('/once', ['contract.created']);
    const client = await rpcClient(EventServiceService, world.platform.services['orgs-teams'], world.platform);
    const event = {
      eventId: randomUUID(), kind: 'contract.created', subject: 'contract:1', ownerId: acme.organization.id, data: {},
      occurredAt: new Date(),
    };
    const early = { ...event, eventId: randomUUID(), occurredAt: new Date(Date.now() - 60_000) };
    for (let time = 0; time < 2; time += 1) await client.takeEvents({ events: [early, event] }, specCall());
    expect((await came('/once', 1)).map((one) => one.id)).toEqual([event.eventId]);
    expect(await world.database.query(sql`select from webhook_delivery where webhook_id = ${id}`)).toHaveLength(1);
    const refused = client.takeEvents({ events: [{ ...event, eventId: 'none' }] }, specCall());
    await expect(refused).rejects.toMatchObject({ reason: 'INVALID_VALUE' });
  });

  it('is repeated without harm when a process died between the answer and the deletion', async () => {
    const { acme } = await ofOrganization('/after', ['contract.created']);
    await world.rows.execute(sql`
      insert into event_outbox (event_id, kind, subject, owner_id, data)
      select event_id, kind, subject, owner_id, data
        from (select gen_random_uuid() as event_id) one,
             (values ('contract.created', 'contract:1', ${acme.organization.id}::bigint, '{}'::jsonb)) as left_over (kind, subject, owner_id, data),
             generate_series(1, 2)`);
    expect(await came('/after', 1)).toHaveLength(1);
    await handedOver();
    expect(receiver.at('/after')).toHaveLength(1);
  });
});
