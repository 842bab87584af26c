import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deadlineIn, DeadlineExceeded, Secret } from '@platform/service';
import { fakeProvider, type FakeProviderA, fakeProviderA, type FakeProviderB, fakeProviderB, type FakeProviderC, fakeProviderC } from '@platform/testing';
import { createMeteringOfA, type MeteringOfA, type UsageOfA } from './a/metering.ts';
import { fetchPublishedRanges } from './a/published-ranges.ts';
import { type ApplicationsOfB, createApplicationsOfB } from './b/managed-applications.ts';
import { createMeteringOfC, type MeteringOfC } from './c/metering.ts';
import { readServiceAccount } from './c/service-account.ts';

const soon = () => deadlineIn(15_000);
const hour = new Date('2026-11-22T09:00:00Z');

/** The outcome of a call: its value, or the kind, code and fault of its failure. */
async function outcomeOf(call: Promise<unknown>): Promise<unknown> {
  return call.catch((error: Error & { code?: string; isOfReport?: boolean; reason?: string }) =>
    [error.name, error.code ?? error.reason, error.isOfReport].filter((part) => part !== undefined));
}

describe('provider A', () => {
  let fake: FakeProviderA;
  let metering: MeteringOfA;
  const usage = (given: Partial<UsageOfA> = {}): UsageOfA => ({
    productCode: fake.settings['marketplace.providera.productCode'], timestamp: hour, dimension: randomUUID(),
    quantity: 5, dryRun: false, allocations: [], ...given,
  });
  const open = (secretKey: string, meteringUrl = fake.url) => createMeteringOfA({
    region: 'us-east-1', accessKey: new Secret(fake.settings['marketplace.providera.accessKey']),
    secretKey: new Secret(secretKey), meteringUrl,
  });
  beforeAll(async () => {
    fake = await fakeProviderA({ isInTime: (at) => at.getUTCFullYear() === 2026 });
    metering = open(fake.settings['marketplace.providera.secretKey']);
  });
  afterAll(async () => {
    await fake[Symbol.asyncDispose]();
  });

  it('meters once, however often a report is repeated', async () => {
    const report = usage({ allocations: [{ quantity: 5, tags: [{ key: 'team', value: 'Zürich & Söhne' }] }] });
    const record = await metering.report(report, soon());
    expect(record).not.toBe('');
    expect(await metering.report(report, soon())).toBe(record);
    expect([...fake.counted].filter(([key]) => key.includes(report.dimension)).map(([, quantity]) => quantity)).toEqual([5]);
  });

  it('has no record for a dry run', async () => {
    const report = usage({ dryRun: true });
    expect(await metering.report(report, soon())).toBe('');
    expect([...fake.counted.keys()].filter((key) => key.includes(report.dimension))).toEqual([]);
    // The id that the provider returns does not matter.
    await using other = await fakeProvider(() => ({ status: 200, json: { MeteringRecordId: 'x' } }), { 500: {}, 429: {} });
    expect(await open('key', other.url).report(report, soon())).toBe('');
  });

  it.each<[string, Partial<UsageOfA>, boolean]>([
    ['InvalidProductCodeException', { productCode: 'other' }, true],
    ['InvalidUsageDimensionException', { dimension: 'unknown' }, true],
    ['TimestampOutOfBoundsException', { timestamp: new Date(0) }, true],
  ])('shows %s', async (code, given, isOfReport) => {
    expect(await outcomeOf(metering.report(usage(given), soon()))).toEqual(['ProviderRefusal', code, isOfReport]);
  });

  it('is refused with another quantity, and with a wrong key', async () => {
    const report = usage();
    await metering.report(report, soon());
    expect(await outcomeOf(metering.report({ ...report, quantity: 6 }, soon())))
      .toEqual(['ProviderRefusal', 'DuplicateRequestException', true]);
    expect(await outcomeOf(open('wrong').report(usage(), soon())))
      .toEqual(['ProviderRefusal', 'InvalidSignatureException', false]);
  });

  it('distinguishes the faults of the provider', async () => {
    fake.trouble(() => 429);
    expect(await outcomeOf(metering.report(usage(), soon()))).toEqual(['ProviderRefusal', 'ThrottlingException', true]);
    fake.trouble(() => 500);
    expect(await outcomeOf(metering.report(usage(), soon())))
      .toEqual(['ProviderRefusal', 'InternalServiceErrorException', false]);
    fake.trouble(() => 'nonsense');
    expect(await outcomeOf(metering.report(usage(), soon()))).toEqual(['Fault', 'BAD_UPSTREAM']);
    fake.trouble(() => 'lose');
    expect(await outcomeOf(metering.report(usage(), soon()))).toEqual(['Fault', 'UNAVAILABLE']);
    fake.trouble(() => 'hang');
    await expect(metering.report(usage(), deadlineIn(300))).rejects.toThrow(DeadlineExceeded);
    fake.trouble(() => undefined);
  });

  it('is waited for ten seconds, however much time there is', async () => {
    fake.trouble(() => 'hang');
    await expect(metering.report(usage(), deadlineIn(120_000))).rejects.toThrow(DeadlineExceeded);
    fake.trouble(() => undefined);
  }, 40_000);

  it('is reached without metering', async () => {
    const before = fake.counted.size;
    await metering.reach(soon());
    expect(fake.counted.size).toBe(before);
    fake.trouble(() => 500);
    expect(await outcomeOf(metering.reach(soon()))).toEqual(['Fault', 'BAD_UPSTREAM']);
    fake.trouble(() => undefined);
    const nowhere = createMeteringOfA({
      region: 'us-east-1', accessKey: new Secret('key'), secretKey: new Secret('key'), meteringUrl: 'http://127.0.0.1:9',
    });
    expect(await outcomeOf(nowhere.reach(soon()))).toEqual(['Fault', 'UNAVAILABLE']);
  });

  it('reads the published ranges, and takes no list without any', async () => {
    const list = fake.settings['marketplace.providera.rangesURL'];
    expect(await fetchPublishedRanges(list, soon())).toEqual(['192.0.2.0/24', '2001:db8::/32']);
    for (const json of [{}, { prefixes: [] }, { prefixes: [{ ip_prefix: '300.0.0.0/8' }, { ip_prefix: '10.0.0.0/33' }, null] }]) {
      await using other = await fakeProvider(() => ({ status: 200, json }), { 500: {}, 429: {} });
      expect(await outcomeOf(fetchPublishedRanges(other.url, soon()))).toEqual(['Fault', 'BAD_UPSTREAM']);
    }
  });
});

describe('provider B', () => {
  let fake: FakeProviderB;
  let applications: ApplicationsOfB;
  const application = '/subscriptions/s-1/resourceGroups/rg/providers/Vendor.Solutions/applications/my app';
  const usage = () => ({ resourceUri: application, planId: 'gold', dimension: randomUUID(), quantity: 5, startTime: hour });
  const open = (clientSecret: string) => createApplicationsOfB({
    tenantId: 'tenant', clientId: fake.settings['marketplace.providerb.clientID'], clientSecret: new Secret(clientSecret),
    tokenUrl: fake.settings['marketplace.providerb.tokenURL'], resourceUrl: fake.url, meteringUrl: `${fake.url}/`,
  });
  beforeAll(async () => {
    fake = await fakeProviderB();
    applications = open(fake.settings['marketplace.providerb.clientSecret']);
  });
  afterAll(async () => {
    await fake[Symbol.asyncDispose]();
  });

  it('knows the resource group of an application', async () => {
    expect(await applications.managedResourceGroupOf(application, soon())).toBe('/subscriptions/s-1/resourceGroups/mrg-my%20app');
    expect(await applications.managedResourceGroupOf('/subscriptions/s-1', soon())).toBeUndefined();
  });

  it('counts a report once, and refuses another quantity', async () => {
    const report = usage();
    await applications.report(report, soon());
    await applications.report(report, soon());
    expect(await outcomeOf(applications.report({ ...report, quantity: 6 }, soon())))
      .toEqual(['ProviderRefusal', 'Conflict', false]);
    expect([...fake.counted].filter(([key]) => key.includes(report.dimension)).map(([, quantity]) => quantity)).toEqual([5]);
  });

  it('shows what is refused', async () => {
    expect(await outcomeOf(open('wrong').report(usage(), soon()))).toEqual(['ProviderRefusal', 'invalid_client', false]);
    expect(await outcomeOf(applications.report({ ...usage(), planId: '' }, soon())))
      .toEqual(['ProviderRefusal', 'BadArgument', false]);
  });

  it('signs in again when its token is refused', async () => {
    fake.trouble(({ url }) => (url?.startsWith('/api/') === true ? 429 : undefined));
    expect(await outcomeOf(applications.report(usage(), soon()))).toEqual(['ProviderRefusal', 'TooManyRequests', false]);
    fake.trouble(() => undefined);
    await applications.report(usage(), soon());
  });
});

describe('provider C', () => {
  let fake: FakeProviderC;
  let metering: MeteringOfC;
  const usage = (given: object = {}) => ({
    operationId: randomUUID(), dimension: 'cpu', startTime: hour, endTime: new Date(hour.getTime() + 3_600_000),
    labels: { team: 'a' }, value: { int64Value: '9223372036854775807' }, ...given,
  });
  const open = (credential: string) => createMeteringOfC({
    account: readServiceAccount(credential), serviceName: fake.settings['marketplace.providerc.serviceName'],
    consumerId: fake.settings['marketplace.providerc.consumerId'], serviceControlUrl: fake.url,
  });
  beforeAll(async () => {
    fake = await fakeProviderC();
    metering = open(fake.settings['marketplace.providerc.credential']);
  });
  afterAll(async () => {
    await fake[Symbol.asyncDispose]();
  });

  it('reports, and returns the answer as it is', async () => {
    const report = usage();
    const answer = await metering.report(report, soon());
    expect(JSON.parse(answer.toString())).toEqual({ serviceConfigId: '2026-11-22r0', serviceRolloutId: '2026-11-22r0' });
    expect(fake.last()).toMatchObject({
      operationId: report.operationId, consumerId: 'project:spec', userLabels: { team: 'a' },
      startTime: '2026-11-22T09:00:00.000Z', endTime: '2026-11-22T10:00:00.000Z',
      metricValueSets: [{
        metricName: 'platform.endpoints.example.org/cpu', metricValues: [{ int64Value: '9223372036854775807' }],
      }],
    });
  });

  it('shows what is refused, also within a success', async () => {
    expect(await outcomeOf(metering.report(usage({ dimension: 'unknown' }), soon()))).toEqual(['ProviderRefusal', '3', false]);
    fake.trouble(({ url }) => (url === '/token' ? undefined : 500));
    expect(await outcomeOf(metering.report(usage(), soon()))).toEqual(['ProviderRefusal', 'INTERNAL', false]);
    fake.trouble(() => undefined);
  });

  it('signs in anew while it keeps a token, which stays when that fails', async () => {
    await metering.report(usage(), soon());
    fake.trouble(({ url }) => (url === '/token' ? 500 : undefined));
    await expect(metering.signIn(soon())).rejects.toThrow();
    await expect(metering.report(usage(), soon())).resolves.toBeInstanceOf(Buffer);
    fake.trouble(() => undefined);
    await expect(metering.signIn(soon())).resolves.toBeUndefined();
  });

  it('does not sign in with the key of somebody else', async () => {
    await using other = await fakeProviderC();
    const credential = JSON.parse(other.settings['marketplace.providerc.credential']) as object;
    const here = JSON.stringify({ ...credential, token_uri: `${fake.url}/token` });
    expect(await outcomeOf(open(here).signIn(soon()))).toEqual(['ProviderRefusal', 'invalid_grant', false]);
  });

  it.each(['', '[]', '{}', 'a text', '{"client_email":"a","private_key_id":"b","private_key":"-----secret-----"}'])(
    'takes no credential such as %j, and shows nothing of it', (text) => {
      expect(() => readServiceAccount(text)).toThrow(RangeError);
      expect(() => readServiceAccount(text)).not.toThrow(/secret/);
    });
});
