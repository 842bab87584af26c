import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addJobs, runNow } from '@platform/jobs';
import { type Database, sql } from '@platform/postgres';
import { SubscriptionContractServiceService } from '@platform/proto/contracts/v1/subscription';
import { type HttpAnswer, rpcClient, seeded, until } from '@platform/testing';
import { parse } from 'yaml';
import { ok } from '../contracts/contract-world.ts';
import { specCall } from '../operator.ts';
import { adminCommand } from '../operator-command.ts';
import { outcome, type Person } from '../orgs/world.ts';
import { hostileNotification } from './hostile-notifications.ts';
import {
  alertAddresses, elsewhere, newApplication, secrets, short, startSubscriptionWorld, type SubscriptionWorld,
} from './subscription-world.ts';

const run = promisify(execFile);
const products = ['platform', 'productbackup', 'productdb', 'productingress', 'productvault'];

let world: SubscriptionWorld;
let owner: Person;
let acme: { readonly id: number; readonly username: string };

beforeAll(async () => {
  world = await startSubscriptionWorld('A');
  owner = await world.person();
  acme = await world.organization(owner);
}, 120_000);
afterAll(async () => world?.[Symbol.asyncDispose]());

const binding = (installerId: string, given: object = {}) => ({
  eventType: 'subscribe-success',
  bindingInfo: { marketplace: 'ProviderA', installerID: installerId, clusterId: randomUUID(), ...given },
});
const linkOf = (answer: HttpAnswer) => ok<{ link: string }>(answer).link;
/** Downloads through the gateway. */
const download = (link: string) => world.nobody.get(new URL(link).pathname);
const mailsAbout = (subscription: string) => world.smtp.taken.filter(({ raw }) => raw.includes(subscription));
const untilAlerts = (subscription: string, count: number) => until(
  () => mailsAbout(subscription).length === count * alertAddresses.length,
  { within: 15_000, what: `each address gets ${count} mails` },
);

describe('provider A (spec §4.9, open-points 11.2)', () => {
  it('binds an installer: contracts, a link, the state, the audit', async () => {
    const { installerId, subscriptionId, claimId, owner: name } = await world.installer('ProviderA', {
      owner: acme.username, meteringUrl: 'https://hosted.example.org/', meteringToken: 'metering-token-1234',
    });
    expect([claimId, name]).toEqual([undefined, acme.username]);
    const id = subscriptionId!;
    expect(await world.subscription('ProviderA', id)).toMatchObject({
      state: 'Pending', boundedInstallerId: '', isRevocable: false, subscriberId: acme.id, requesterId: 0,
      noOfBillingEventSent: 0,
      providerABillingDetails: { hostedBaseURL: 'https://hosted.example.org', meteringProxyApiToken: '********1234' },
    });
    const clusterId = randomUUID().toUpperCase();
    const link = linkOf(await world.notifyA(binding(installerId, { clusterId })));
    expect(link).toMatch(new RegExp(`/links/installer/${acme.id}/installer-[0-9a-f]+/${installerId}-[0-9a-f]+/archive.tar.gz$`));
    expect(await world.subscription('ProviderA', id)).toMatchObject({
      state: 'Bounded', boundedInstallerId: installerId, isRevocable: true, billingNotBefore: expect.any(String),
    });
    const contracts = await world.contracts(id);
    expect(contracts.map(({ product }) => product).sort()).toEqual(products);
    for (const contract of contracts) {
      expect(contract).toMatchObject({ owner: acme.username, revoked: false, clusters: [clusterId.toLowerCase()] });
      const [start, end] = [new Date(contract.start * 1000), new Date(contract.end * 1000)];
      expect(Math.abs(start.getTime() - Date.now())).toBeLessThan(60_000);
      expect(end.getUTCFullYear() - start.getUTCFullYear()).toBe(10);
    }
    expect(short(await world.audit('ProviderA', id))).toEqual(['subscribe success', 'bind success']);
  });

  it('makes an archive of what was sent, which nobody can alter', async () => {
    const { installerId } = await world.installer('ProviderA', { owner: acme.username });
    const given = {
      clusterId: randomUUID(), adminUsername: 'boss', adminPassword: `it's "$(touch owned)"\n`,
      domainWhiteList: ['Example.ORG'], providerAAccountID: '123', options: { productbackup: { storageSecret: 'hidden' } },
    };
    const answer = await download(linkOf(await world.notifyA(binding(installerId, given))));
    expect([answer.status, answer.header('content-type')]).toEqual([200, 'application/gzip']);
    expect(answer.header('content-disposition')).toContain('archive.tar.gz');
    const folder = await mkdtemp(join(tmpdir(), 'platform-archive-'));
    try {
      await writeFile(join(folder, 'a.tgz'), answer.body);
      await run('tar', ['-xzf', 'a.tgz'], { cwd: folder });
      await run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: folder });
      expect(parse(await readFile(join(folder, 'values.yaml'), 'utf8'))).toEqual({
        platform: {
          baseURL: expect.any(String), marketplace: 'ProviderA', installerId, clusterId: given.clusterId,
          ownerId: acme.id, owner: acme.username,
        },
        providerAAccountID: '123', admin: { username: 'boss', password: given.adminPassword },
        domainWhiteList: ['example.org'], options: given.options,
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('has one effect when it is sent again, in order, at once, or with other values for the same cluster', async () => {
    const { installerId, subscriptionId } = await world.installer('ProviderA');
    const notification = binding(installerId);
    const answers = await Promise.all(Array.from({ length: 10 }, () => world.notifyA(notification)));
    const [link] = answers.map(linkOf);
    expect(new Set(answers.map(linkOf)).size).toBe(1);
    expect(linkOf(await world.notifyA(notification))).toBe(link);
    expect(short(await world.audit('ProviderA', subscriptionId!))).toEqual(['subscribe success', 'bind success']);
    const again = { ...notification, bindingInfo: { ...notification.bindingInfo, adminUsername: 'other' } };
    expect(linkOf(await world.notifyA(again))).toBe(link);
    expect(await world.contracts(subscriptionId!)).toHaveLength(products.length);
    expect(short(await world.audit('ProviderA', subscriptionId!)))
      .toEqual(['subscribe success', 'bind success', 'bind success']);
    expect(outcome(await world.notifyA(binding(installerId)))).toBe('400 invalid_binding');
    expect(short(await world.audit('ProviderA', subscriptionId!)).at(-1)).toBe('bind failure');
  });

  it('is refused by address first, then by body, then by binding', async () => {
    const { installerId, subscriptionId } = await world.installer('ProviderA');
    const path = '/marketplace/api/v1/marketplaces/providera/notification/resource';
    const send = async (source: string, body: string, headers: Readonly<Record<string, string>> = {}) =>
      outcome(await world.listener.post(path, { body, headers: { ...headers, 'x-forwarded-for': source } }));
    // Addresses before the one that the proxy has added may be forged.
    for (const source of [elsewhere, `198.51.100.7, ${elsewhere}`, 'nonsense', '::ffff:203.0.113.9', '']) {
      expect(await send(source, '{')).toBe('403 source_denied');
    }
    expect(outcome(await world.notifyA(binding('nobody'), '::ffff:198.51.100.9'))).toBe('400 invalid_binding');
    for (const body of ['', '{', '[]', '"x"', '{"eventType": 5}', '{"eventTime": "yesterday"}', '{"a": "\\u0000"}']) {
      expect(await send('198.51.100.1', body)).toBe('400 malformed_body');
    }
    const xml = { 'content-type': 'text/xml' };
    expect(await send('198.51.100.1', '{}', xml)).toBe('415 unsupported_media_type');
    expect(await send(elsewhere, '{}', xml)).toBe('403 source_denied');
    for (const wrong of [{}, { bindingInfo: null }, binding(installerId, { marketplace: 'ProviderC' })]) {
      expect(outcome(await world.notifyA(wrong))).toBe('400 invalid_binding');
    }
    expect(outcome(await world.notifyA({ ...binding(installerId), eventType: 5 }))).toBe('400 malformed_body');
    // Marketplaces choose further headers freely, so the listener ignores them and judges the body.
    const more = { 'idempotency-key': 'x', 'if-match': '"1"' };
    expect(await send('198.51.100.1', '{}', more)).toBe('400 invalid_binding');
    expect((await world.listener.get(path)).status).toBe(405);
    expect(await world.subscription('ProviderA', subscriptionId!)).toMatchObject({ state: 'Pending' });
    expect(short(await world.audit('ProviderA', subscriptionId!)))
      .toEqual(['subscribe success', 'bind failure', 'bind failure']);
  });

  it('keeps a link for two hours: then it is 403, and a bind makes a new one', async () => {
    const { installerId, subscriptionId } = await world.installer('ProviderA');
    const notification = binding(installerId, { adminPassword: 'to-be-erased' });
    const link = linkOf(await world.notifyA(notification));
    const expiry = await world.rows.one(sql<{ seconds: number }>`
      select extract(epoch from max(expires_at) - now())::double precision as "seconds" from archive`);
    expect(Math.round(expiry.seconds / 60)).toBeCloseTo(120, 0);
    const altered = [
      link.replace(/\/installer\/\d+\//, '/installer/7/'), link.replace(/-[0-9a-f]{40}/, `-${'0'.repeat(40)}`),
      link.replace(installerId, '0'.repeat(20)),
    ];
    for (const other of altered) expect((await download(other)).status).toBe(404);
    await world.rows.execute(sql`
      update archive set expires_at = now() where random = ${/-([0-9a-f]{40})\//.exec(link)![1]!}`);
    expect(outcome(await download(link))).toBe('403 forbidden');
    await addJobs(world.rows, [runNow('erase-archives')]);
    const due = () => world.rows.query(sql`
      select from archive where expires_at <= now() and sealed_secret is not null`);
    await until(async () => (await due()).length === 0, { within: 20_000, what: 'values of expired links are erased' });
    const fresh = linkOf(await world.notifyA(notification));
    expect(fresh).not.toBe(link);
    expect([(await download(fresh)).status, outcome(await download(link))]).toEqual([200, '403 forbidden']);
    expect(outcome(await world.revoke('ProviderA', subscriptionId!))).toBe('200');
    for (const gone of [fresh, link]) expect((await download(gone)).status).toBe(404);
  });

  it('fails with a mail when contracts cannot be made, and may be tried again', async () => {
    const { installerId, subscriptionId } = await world.installer('ProviderA');
    const { ownerId } = await world.rows.one(sql<{ ownerId: number }>`
      select owner_id as "ownerId" from installer where public_id = ${installerId}`);
    const setOwner = (id: number) =>
      world.rows.execute(sql`update installer set owner_id = ${id} where public_id = ${installerId}`);
    // Pretend that the account was deleted.
    await setOwner(999_999_999);
    const notification = binding(installerId);
    expect(outcome(await world.notifyA(notification))).toBe('500 internal');
    expect(await world.subscription('ProviderA', subscriptionId!)).toMatchObject({
      state: 'Failed', boundedInstallerId: '', noOfAlertNotificationsSent: 1,
      lastAlertNotificationSentAt: expect.any(String),
    });
    expect(short(await world.audit('ProviderA', subscriptionId!)))
      .toEqual(['subscribe success', 'bind failure', 'alert success']);
    await untilAlerts(subscriptionId!, 1);
    expect(mailsAbout(subscriptionId!).flatMap(({ to }) => to).sort()).toEqual(alertAddresses);
    // The repeat makes the subscription Bounded and Failed again: another transition, with another mail.
    expect(outcome(await world.notifyA(notification))).toBe('500 internal');
    expect(await world.subscription('ProviderA', subscriptionId!))
      .toMatchObject({ state: 'Failed', noOfAlertNotificationsSent: 2 });
    await untilAlerts(subscriptionId!, 2);
    expect(await world.contracts(subscriptionId!)).toEqual([]);
    await setOwner(ownerId);
    linkOf(await world.notifyA(notification));
    expect(await world.subscription('ProviderA', subscriptionId!)).toMatchObject({ state: 'Bounded' });
    const entries = await world.audit('ProviderA', subscriptionId!);
    expect(short(entries)).toEqual(['subscribe success', 'alert success', 'alert success', 'bind success']);
    const times = entries.map(({ timestamp }) => String(timestamp));
    expect(times).toEqual(times.toSorted());
    expect(entries.at(-1)!.data).toEqual({
      eventType: 'subscribe-success',
      bindingInfo: { marketplace: 'ProviderA', installerId, clusterId: notification.bindingInfo.clusterId },
      contractIds: (await world.contracts(subscriptionId!)).map(({ id }) => id).sort(),
    });
  });
});

describe('provider B (spec §4.9, open-points 11.2, 11.3, 11.8)', () => {
  let second = 0;
  /** Each event is later than the one before. */
  const at = () => new Date(Date.UTC(2026, 0, 1) + (second += 1) * 1000).toISOString();
  const put = (applicationId: string, given: object = {}) =>
    world.notifyB({ eventType: 'PUT', applicationId, eventTime: at(), provisioningState: 'Succeeded', ...given });
  const remove = (applicationId: string, given: object = {}) =>
    world.notifyB({ eventType: 'DELETE', applicationId, eventTime: at(), ...given });
  const bindTo = (applicationId: string, installerId: string, clusterId: string) =>
    world.notifyB({ eventType: 'BIND', applicationId, bindingInfo: { installerId, clusterId } });
  const idOf = async (applicationId: string) => (await world.ofApplication(applicationId))!;
  const stateOf = async (applicationId: string) =>
    (await world.subscription('ProviderB', await idOf(applicationId))).state;
  const auditOf = async (applicationId: string) => short(await world.audit('ProviderB', await idOf(applicationId)));

  it('goes from PUT to BIND to DELETE', async () => {
    const application = newApplication();
    const first = await put(application, {
      billingDetails: { resourceUsageId: 'usage' },
      plan: { publisher: 'p', product: 'q', name: 'standard', version: '1' },
    });
    expect([first.status, first.text]).toEqual([200, '']);
    const id = await idOf(application);
    const [, subscription, group, , name] = /^\/subscriptions\/(.+)\/resourceGroups\/(.+)\/providers\/(.+)\/applications\/(.+)$/
      .exec(application)!;
    expect(await world.subscription('ProviderB', id)).toMatchObject({
      state: 'Pending', boundedInstallerId: '', providerBBillingDetails: {
        resourceUri: application, resourceUsageId: 'usage', managedResourceGroupId: '', planId: 'standard',
        subscriptionId: subscription, customerOwnedRG: group, appName: name,
      },
    });
    const { installerId } = await world.installer('ProviderB', { owner: acme.username });
    const clusterId = randomUUID();
    const link = linkOf(await bindTo(application, installerId, clusterId));
    expect(linkOf(await bindTo(application.toUpperCase(), installerId, clusterId))).toBe(link);
    expect(await world.contracts(id)).toHaveLength(products.length);
    expect(await world.subscription('ProviderB', id)).toMatchObject({ state: 'Bounded', boundedInstallerId: installerId });
    const begun = await remove(application, { provisioningState: 'Deleting' });
    expect([begun.status, begun.text, await stateOf(application)]).toEqual([200, '', 'Deleting']);
    expect((await world.contracts(id)).map(({ revoked }) => revoked)).toEqual(products.map(() => true));
    expect(outcome(await bindTo(application, installerId, clusterId))).toBe('400 subscription_closed');
    expect((await remove(application)).status).toBe(200);
    expect(await stateOf(application)).toBe('Deleted');
    expect([(await remove(application)).status, (await put(application)).status]).toEqual([200, 200]);
    expect(await stateOf(application)).toBe('Deleted');
    expect(await auditOf(application)).toEqual([
      'put success', 'bind success', 'bind success', 'delete success', 'delete success', 'delete ignored', 'put ignored',
    ]);
    expect((await download(link)).status).toBe(404);
  });

  it('makes the subscription by BIND when no PUT came; a bound one stays with its installer and cluster', async () => {
    const [one, other] = [newApplication(), newApplication()];
    const [first, second] = [await world.installer('ProviderB'), await world.installer('ProviderB')];
    expect(first.subscriptionId).toBeUndefined();
    const clusterId = randomUUID();
    linkOf(await bindTo(one, first.installerId, clusterId));
    expect(await stateOf(one)).toBe('Bounded');
    for (const refused of [
      await bindTo(one, first.installerId, randomUUID()), await bindTo(one, second.installerId, clusterId),
      await bindTo(other, first.installerId, clusterId),
    ]) expect(outcome(refused)).toBe('400 invalid_binding');
    expect(await world.ofApplication(other)).toBeUndefined();
    expect(await auditOf(one)).toEqual(['bind success', 'bind failure', 'bind failure']);
  });

  it('ignores what is older than the last event, and what was sent before', async () => {
    const application = newApplication();
    const early = at();
    const failed = { eventType: 'PUT', applicationId: application, eventTime: at(), provisioningState: 'Failed' };
    expect((await world.notifyB(failed)).status).toBe(200);
    expect(await stateOf(application)).toBe('Failed');
    const { installerId } = await world.installer('ProviderB');
    const bind = { eventType: 'BIND', applicationId: application, bindingInfo: { installerId, clusterId: randomUUID() } };
    linkOf(await world.notifyB(bind));
    expect((await world.notifyB(failed)).status).toBe(200);
    expect((await remove(application, { eventTime: early })).status).toBe(200);
    expect(await stateOf(application)).toBe('Bounded');
    expect((await put(application, { provisioningState: 'Failed' })).status).toBe(200);
    expect(await stateOf(application)).toBe('Failed');
    // This BIND equals the first one byte for byte, so it has no second effect.
    linkOf(await world.notifyB(bind));
    expect(await stateOf(application)).toBe('Failed');
    expect(await auditOf(application))
      .toEqual(['put success', 'alert success', 'bind success', 'delete ignored', 'put success', 'alert success']);
    await untilAlerts(await idOf(application), 2);
  });

  it('revokes contracts that were made by a call whose answer was lost', async () => {
    const { grpc, serviceCredential } = world.platform;
    const addresses = grpc['contracts-licensing'].split(',');
    await using contracts = await rpcClient(SubscriptionContractServiceService, addresses, { serviceCredential });
    const application = newApplication();
    await put(application);
    const id = await idOf(application);
    const call = { subscriptionId: id, ownerId: acme.id, name: 'lost', clusterUid: randomUUID() };
    const { contractIds } = await contracts.putSubscriptionContracts({ ...call, products }, specCall());
    // The settings have changed, but notifications about existing contracts are still answered.
    expect(await contracts.putSubscriptionContracts({ ...call, products: ['mistyped'] }, specCall())).toEqual({ contractIds });
    expect((await remove(application)).status).toBe(200);
    expect(await world.contractCounts(id)).toEqual({ active: 0, revoked: products.length });
    expect((await world.audit('ProviderB', id)).at(-1)).toMatchObject({ status: 'success', data: { contractIds } });
  });

  it('stays DeletionFailed until the provider says more, with its contracts revoked', async () => {
    const application = newApplication();
    const { installerId } = await world.installer('ProviderB');
    linkOf(await bindTo(application, installerId, randomUUID()));
    expect((await remove(application, { provisioningState: 'Failed' })).status).toBe(200);
    expect(await stateOf(application)).toBe('DeletionFailed');
    const id = await idOf(application);
    expect((await world.contracts(id)).every(({ revoked }) => revoked)).toBe(true);
    expect(outcome(await world.revoke('ProviderB', id))).toBe('400 not_revocable');
    expect((await remove(application, { provisioningState: 'Succeeded' })).status).toBe(200);
    expect(await stateOf(application)).toBe('Deleted');
  });

  it('refuses times more than 10 min ahead, so that the true DELETE counts', async () => {
    const application = newApplication();
    const ahead = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
    await put(application);
    for (const eventTime of ['2999-01-01T00:00:00Z', ahead(11)]) {
      expect(outcome(await put(application, { eventTime }))).toBe('400 invalid_value');
      expect(outcome(await remove(application, { eventTime }))).toBe('400 invalid_value');
    }
    expect(await stateOf(application)).toBe('Pending');
    expect((await put(application, { eventTime: ahead(0) })).status).toBe(200);
    expect((await remove(application, { eventTime: ahead(9) })).status).toBe(200);
    expect(await stateOf(application)).toBe('Deleted');
  });

  it('checks the secret first, also when the body is wrong; then the body; then what it asks for', async () => {
    const application = newApplication();
    const path = '/marketplace/api/v1/marketplaces/providerb/notification/resource';
    for (const query of ['', '?secret=', '?secret=wrong', `?secret=${secrets.b}&secret=${secrets.b}`, `?secret=${secrets.c}`]) {
      expect(outcome(await world.listener.post(path + query, { body: '{' }))).toBe('403 secret_mismatch');
    }
    const send = (json: unknown) => world.notifyB(json).then(outcome);
    expect(await send({ applicationId: application })).toBe('400 malformed_body');
    for (const eventType of ['put', 'constructor', 'toString', '__proto__']) {
      expect(await send({ eventType, applicationId: application, eventTime: at() })).toBe('400 unknown_event_type');
    }
    expect(await send({ eventType: 'PUT', applicationId: application })).toBe('400 malformed_body');
    for (const id of [
      undefined, '', 'x', '/subscriptions//resourceGroups/a/providers/b/applications/c', `${application}/`,
      `${application}\n`, '/subscriptions/../resourceGroups/./providers/../applications/a',
    ]) {
      expect(await send({ eventType: 'PUT', applicationId: id, eventTime: at() })).toBe('400 invalid_value');
    }
    expect(outcome(await remove(application))).toBe('403 subscription_not_found');
    expect(outcome(await remove(application, { provisioningState: 'Ready' }))).toBe('400 invalid_value');
    expect(await send({ eventType: 'BIND', applicationId: application })).toBe('400 invalid_binding');
    expect(await world.ofApplication(application)).toBeUndefined();
    await put(application);
    expect(await send({ eventType: 'PATCH', applicationId: application })).toBe('400 unknown_event_type');
    expect(outcome(await remove(application, { provisioningState: 'Ready' }))).toBe('400 invalid_value');
    for (const eventTime of ['today', 'today', 5]) {
      expect(outcome(await put(application, { eventTime }))).toBe('400 malformed_body');
    }
    expect(await auditOf(application))
      .toEqual(['put success', 'unknown failure', 'delete failure', 'put failure', 'put failure']);
  });
});

describe('provider C (spec §4.9, open-points 11.2, 16)', () => {
  const bindingC = (installerId: string) => ({ bindingInfo: { installerId, clusterId: randomUUID() } });

  it('binds once: any further bind is 403, also the same', async () => {
    const { installerId, subscriptionId } = await world.installer('ProviderC');
    const notification = bindingC(installerId);
    const outcomes = (await Promise.all(Array.from({ length: 8 }, () => world.notifyC(notification)))).map(outcome);
    expect(outcomes.sort()).toEqual(['200', ...Array.from({ length: 7 }, () => '403 installer_already_bound')]);
    expect(outcome(await world.notifyC(notification))).toBe('403 installer_already_bound');
    expect(outcome(await world.notifyC(bindingC(installerId)))).toBe('403 installer_already_bound');
    expect(await world.contracts(subscriptionId!)).toHaveLength(products.length);
    expect(short(await world.audit('ProviderC', subscriptionId!)))
      .toEqual(['subscribe success', 'bind success', 'bind failure']);
  });

  it('forgives a wrong secret for the test installer alone', async () => {
    const { installerId } = await world.installer('ProviderC');
    expect(outcome(await world.notifyC(bindingC(installerId), 'wrong'))).toBe('403 secret_mismatch');
    const path = '/marketplace/api/v1/marketplaces/providerc/notification/resource';
    expect(outcome(await world.listener.post(path, { body: '{' }))).toBe('403 secret_mismatch');
    const test = bindingC('0000000000000000test');
    expect(outcome(await world.notifyC(test, 'wrong'))).toBe('400 invalid_binding');
    expect(outcome(await world.notifyC({ ...test, eventType: 5 }, 'wrong'))).toBe('403 secret_mismatch');
    expect(outcome(await world.notifyC({ bindingInfo: { ...test.bindingInfo, clusterId: 'x' } }, ''))).toBe('400 invalid_binding');
  });
});

it('installers are listed for site admins as for the operator (open-points 18.5)', async () => {
  const { installerId } = await world.installer('ProviderA', { owner: acme.username });
  const path = '/api/v1/admin/installers';
  const shown = (await world.siteAdmin.http.get(path)).json<{ installers: { installerId: string }[] }>();
  expect(shown).toEqual((await adminCommand(world.platform, ['installer', 'list'])).answer);
  expect(shown.installers.at(-1)).toMatchObject({ installerId, marketplace: 'ProviderA', owner: acme.username, state: 'Pending' });
  expect(outcome(await owner.http.get(path))).toBe('403 forbidden');
  expect(outcome(await world.siteAdmin.http.get(`${path}?after=none`))).toBe('400 invalid_parameter');
});

describe('the dashboard (spec §4.6, open-points 8.4, 8.6)', () => {
  const dashboard = (path: string) => world.siteAdmin.http.get(`/api/v1/dashboard/marketplaces/${path}`);

  it('lists subscriptions, most recently updated first, without billing details', async () => {
    const { installerId, subscriptionId } = await world.installer('ProviderA');
    linkOf(await world.notifyA(binding(installerId)));
    const all = (await dashboard('subscriptions?org=administration')).json<Record<string, string>[]>();
    expect(all[0]).toMatchObject({ subscriptionId, state: 'Bounded' });
    expect(all.flatMap(Object.keys).filter((key) => key.endsWith('BillingDetails'))).toEqual([]);
    const times = all.map(({ lastUpdatedAt }) => lastUpdatedAt!);
    expect(times).toEqual(times.toSorted().reverse());
    const page = await dashboard('subscriptions?org=administration&per_page=1&page=1');
    expect([page.json<unknown[]>().length, page.header('x-total-count')]).toEqual([1, String(all.length)]);
    expect(outcome(await dashboard('subscriptions'))).toBe('400 missing_org');
    expect(outcome(await owner.http.get('/api/v1/dashboard/marketplaces/subscriptions?org=administration'))).toMatch(/^40[34]/);
  });

  it('revokes once, with all contracts; a second time is 400', async () => {
    const { installerId, subscriptionId } = await world.installer('ProviderA');
    const notification = binding(installerId);
    linkOf(await world.notifyA(notification));
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => world.revoke('ProviderA', subscriptionId!)));
    expect(outcomes.map(outcome).sort()).toEqual(['200', ...Array<string>(3).fill('400 not_revocable')]);
    expect(outcome(await world.revoke('ProviderA', subscriptionId!))).toBe('400 not_revocable');
    expect(await world.subscription('ProviderA', subscriptionId!)).toMatchObject({ state: 'Revoked', isRevocable: false });
    expect((await world.contracts(subscriptionId!)).map(({ revoked }) => revoked)).toEqual(products.map(() => true));
    expect(outcome(await world.notifyA(notification))).toBe('400 subscription_closed');
    expect(short(await world.audit('ProviderA', subscriptionId!)))
      .toEqual(['subscribe success', 'bind success', 'revoke success']);
  });

  it('shows 10,000 events of the audit, and all that are no usage reports', async () => {
    const { installerId, subscriptionId } = await world.installer('ProviderA');
    linkOf(await world.notifyA(binding(installerId)));
    await world.rows.execute(sql`
      insert into marketplace_audit (subscription_id, at, status, operation_type, description)
      select id, now() + make_interval(secs => hour), 'success', 'report-usage', hour::text
        from subscription, generate_series(1, 10_001) hour where public_id = ${subscriptionId!}`);
    const entries = await world.audit('ProviderA', subscriptionId!);
    expect(entries).toHaveLength(10_000);
    expect(short(entries.slice(0, 3))).toEqual(['subscribe success', 'bind success', 'report-usage success']);
    expect([entries[2]!['description'], entries.at(-1)!['description']]).toEqual(['4', '10001']);
  });

  it('answers 400 for what is not there', async () => {
    const { subscriptionId } = await world.installer('ProviderA');
    for (const path of [`ProviderC/${subscriptionId}`, `providera/${subscriptionId}`, 'ProviderA/none', 'Other/none']) {
      for (const more of ['', '/audit-logs']) {
        expect(outcome(await dashboard(`${path}${more}?org=administration`))).toBe('400 subscription_not_found');
      }
      expect(outcome(await world.siteAdmin.http.delete(`/api/v1/dashboard/marketplaces/${path}?org=administration`)))
        .toBe('400 subscription_not_found');
    }
    expect(outcome(await world.revoke('ProviderA', subscriptionId!))).toBe('400 not_revocable');
  });
});

describe('installers (operator.md, open-points 11.8)', () => {
  it('belong to an account or a standalone organization, and have names of their own', async () => {
    const standalone = await world.installer('ProviderC', { name: 'alone' });
    expect(standalone).toEqual({
      installerId: expect.stringMatching(/^[0-9a-v]{20}$/), subscriptionId: expect.stringMatching(/^[0-9a-v]{20}$/),
      claimId: expect.stringMatching(/^[A-Z0-9]{26}$/), owner: expect.stringMatching(/^standalone-[a-z0-9]{8}$/),
    });
    const organization = await world.siteAdmin.http.get(`/api/v1/orgs/${standalone.owner}`);
    expect(organization.json()).toMatchObject({ visibility: 'private' });
    await world.installer('ProviderA', { name: 'shop', owner: owner.username });
    await expect(world.installer('ProviderB', { name: 'SHOP', owner: owner.username }))
      .rejects.toMatchObject({ reason: 'ALREADY_EXISTS' });
    await expect(world.installer('ProviderA', { owner: 'nobody-here' })).rejects.toMatchObject({ reason: 'NOT_FOUND' });
    for (const wrong of [
      { marketplace: 'ProviderD' }, { name: 'a b' }, { name: '' }, { meteringUrl: 'https://x.example' },
      { meteringToken: 'x' }, { meteringUrl: 'ftp://x.example', meteringToken: 'x' },
    ]) {
      await expect(world.installer('ProviderA', wrong)).rejects.toMatchObject({ reason: 'INVALID_VALUE' });
    }
  });
});

it('500 hostile notifications are refused as listed, and make nothing', async () => {
  const [a, b, c] = await Promise.all(['ProviderA', 'ProviderB', 'ProviderC'].map(async (marketplace) =>
    (await world.installer(marketplace)).installerId));
  const made = () => world.rows.one(sql`
    select (select count(*) from subscription) as "subscriptions", (select count(*) from archive) as "archives",
           (select count(*) from notification) as "notifications",
           (select count(*) from installer where cluster_uid is not null) as "bound"`);
  const before = await made();
  const random = seeded(20261122);
  const wrong: unknown[] = [];
  for (let index = 0; index < 500; index += 1) {
    const { path, source, body, refused } = hostileNotification(random, { a: a!, b: b!, c: c! });
    const { status, text } = await world.listener.post(path, { body, headers: { 'x-forwarded-for': source } });
    if (!refused.includes(status)) wrong.push({ path, source, body: body.toString().slice(0, 300), status, text });
  }
  expect(wrong).toEqual([]);
  expect(await made()).toEqual(before);
}, 60_000);

it('no secret that was sent is found in logs, audit, tables, mails or answers; an archive has its own', async () => {
  const ofArchive = ['pass-4b1f', 'store-4b1f', 'auth-4b1f', 'key-4b1f', 'header-4b1f'] as const;
  const [password, storageSecret, auth, accessKey, header] = ofArchive;
  const meteringToken = 'metering-4b1f';
  const made = await world.installer('ProviderC', { meteringUrl: 'https://h.example', meteringToken });
  const options = {
    infra: { cloudServices: { objstore: { auth, bucket: 'kept-in-audit' } } }, productbackup: { storageSecret },
    mine: { accessKey, headers: [{ Authorization: header }] },
  };
  const bindingInfo = { installerId: made.installerId, clusterId: 'wrong', adminPassword: password, options };
  expect(outcome(await world.notifyC({ bindingInfo }))).toBe('400 invalid_binding');
  expect(outcome(await world.notifyC([{ bindingInfo }]))).toBe('400 malformed_body');
  const archive = await download(linkOf(await world.notifyC({ bindingInfo: { ...bindingInfo, clusterId: randomUUID() } })));
  const unpacked = gunzipSync(archive.body).toString();
  const audit = JSON.stringify(await world.audit('ProviderC', made.subscriptionId!));
  expect(audit).toContain('kept-in-audit');
  const dumps = await Promise.all([world.rows, world.contractRows].map(dumpOf));
  const logs = Object.values(world.platform.services).flatMap(({ replicas }) => replicas.map(({ log }) => String(log)));
  const shown = JSON.stringify(await world.subscription('ProviderC', made.subscriptionId!));
  const everything = [audit, shown, ...dumps, ...logs, ...world.smtp.taken.map(({ raw }) => raw)].join('\n');
  expect(everything.length).toBeGreaterThan(10_000);
  const hex = (text: string) => Buffer.from(text).toString('hex');
  for (const secret of [...ofArchive, meteringToken, ...Object.values(secrets)]) {
    expect([secret, everything.includes(secret), everything.includes(hex(secret))]).toEqual([secret, false, false]);
    expect([secret, unpacked.includes(secret)]).toEqual([secret, ofArchive.some((own) => own === secret)]);
  }
  expect(ofArchive.filter((secret) => !unpacked.split('values.yaml\0')[1]!.includes(secret))).toEqual([]);
});

/** All rows of a service, jobs included, as text. */
async function dumpOf(rows: Database): Promise<string> {
  const tables = await rows.query(sql<{ schema: string; name: string }>`
    select schemaname as "schema", tablename as "name" from pg_tables
     where has_table_privilege(format('%I.%I', schemaname, tablename), 'select')
       and schemaname not in ('pg_catalog', 'information_schema')`);
  const dumps = await Promise.all(tables.map(({ schema, name }) => rows.one(sql<{ text: string | null }>`
    select string_agg(row_to_json(t)::text, E'\n') as "text" from ${sql.identifier(schema)}.${sql.identifier(name)} t`)));
  return dumps.map(({ text }) => text).join('\n');
}
