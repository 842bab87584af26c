import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type FakeProviderA, fakeProviderA, type FakeProviderC, fakeProviderC, type HttpAnswer,
} from '@platform/testing';
import { type Person, startWorld, type World } from '../orgs/world.ts';
import { listenerHosts, listenerSettings } from './marketplace-world.ts';

const base = '/api/v1/proxy/metered-billing/marketplaces';
const short = (answer: HttpAnswer) => [answer.status, answer.json<{ code: string }>().code];

describe('provider A', () => {
  const stack = new AsyncDisposableStack();
  let fake: FakeProviderA;
  let world: World;
  let stranger: Person;
  const usage = (given: object = {}) => ({
    ProductCode: fake.settings['marketplace.providera.productCode'], Timestamp: '2026-11-22T09:00:00Z',
    UsageDimension: 'cpu', UsageQuantity: 5, ...given,
  });
  const report = (json: unknown, { http } = world.siteAdmin) => http.post(`${base}/providera/report-usage`, { json });
  const check = ({ http } = world.siteAdmin) => http.get(`${base}/providera/check/readiness`);

  beforeAll(async () => {
    fake = stack.use(await fakeProviderA({ isInTime: (at) => at.getUTCFullYear() === 2026 }));
    world = stack.use(await startWorld({ hosts: listenerHosts, settings: {
      ...listenerSettings, ...fake.settings, 'deployment.type': 'ProviderAMarketplace', 'http.requestTimeout': '4s',
    } }));
    stranger = await world.person();
  }, 120_000);
  afterAll(() => stack.disposeAsync());

  it('answers the id of the record, and counts a repeat once', async () => {
    const [first, second] = [await report(usage()), await report(usage())];
    expect(first.status).toBe(200);
    expect(first.json()).toEqual({ MeteringRecordId: expect.stringMatching(/^[0-9a-f]{32}$/) });
    expect(second.text).toBe(first.text);
    expect([...fake.counted.values()]).toEqual([5]);
  });

  it('takes a quantity of 0, allocations that add up, and a dry run', async () => {
    const { ProductCode, Timestamp } = usage();
    expect((await report({ ProductCode, Timestamp, UsageDimension: 'none' })).status).toBe(200);
    expect((await report(usage({ UsageDimension: 'shared', UsageAllocations: [
      { AllocatedUsageQuantity: 2, Tags: [{ Key: 'team', Value: 'a' }] }, { AllocatedUsageQuantity: 3 },
    ] }))).status).toBe(200);
    expect((await report(usage({ UsageDimension: 'tried', DryRun: true }))).json()).toEqual({ MeteringRecordId: '' });
    expect([...fake.counted.keys()].filter((key) => key.includes('tried'))).toEqual([]);
  });

  it.each<[string, object, number, string]>([
    ['another quantity', { UsageQuantity: 6 }, 400, 'DuplicateRequestException'],
    ['a bad product', { ProductCode: 'other' }, 400, 'InvalidProductCodeException'],
    ['a bad dimension', { UsageDimension: 'unknown' }, 400, 'InvalidUsageDimensionException'],
    ['a time out of bounds', { Timestamp: '2020-01-01T00:00:00Z' }, 400, 'TimestampOutOfBoundsException'],
  ])('shows how the provider refuses %s', async (_, given, status, code) => {
    const answer = await report(usage(given));
    const body = answer.json<Record<string, unknown>>();
    expect([answer.status, body['code'], Object.keys(body).sort()])
      .toEqual([status, code, ['code', 'message', 'origErr', 'requestId', 'url']]);
    expect(body['origErr']).toMatchObject({ __type: `com.amazonaws.marketplacemetering#${code}` });
    expect(body['requestId']).toBe(answer.header('x-request-id'));
  });

  it('distinguishes the failures of the provider', async () => {
    fake.trouble(() => 429);
    expect(short(await report(usage({ UsageDimension: 'a' })))).toEqual([400, 'ThrottlingException']);
    fake.trouble(() => 500);
    expect(short(await report(usage({ UsageDimension: 'a' })))).toEqual([500, 'InternalServiceErrorException']);
    fake.trouble(() => 'nonsense');
    expect(short(await report(usage({ UsageDimension: 'a' })))).toEqual([502, 'bad_upstream']);
    fake.trouble(() => 'lose');
    expect(short(await report(usage({ UsageDimension: 'lost' })))).toEqual([503, 'unavailable']);
    fake.trouble(() => undefined);
    // The lost report was counted, so the repeat updates the same record.
    expect((await report(usage({ UsageDimension: 'lost' }))).status).toBe(200);
    expect([...fake.counted.keys()].filter((key) => key.includes('/lost/'))).toHaveLength(1);
  });

  it('is 504 when the provider is too slow', async () => {
    fake.trouble(() => 'hang');
    expect(short(await report(usage({ UsageDimension: 'slow' })))).toEqual([504, 'deadline_exceeded']);
    fake.trouble(() => undefined);
  }, 40_000);

  it.each<[string, object]>([
    ['no product', { ProductCode: null }], ['an empty product', { ProductCode: '' }], ['no time', { Timestamp: null }],
    ['an invalid time', { Timestamp: 'yesterday' }], ['no dimension', { UsageDimension: null }],
    ['a negative quantity', { UsageQuantity: -1 }], ['a quantity beyond 32 bits', { UsageQuantity: 2 ** 31 }],
    ['a fraction', { UsageQuantity: 1.5 }], ['a text', { UsageQuantity: '5' }],
    ['allocations of less', { UsageAllocations: [{ AllocatedUsageQuantity: 4 }] }],
    ['allocations of more', { UsageAllocations: [{ AllocatedUsageQuantity: 4 }, { AllocatedUsageQuantity: 4 }] }],
    ['a negative allocation', { UsageAllocations: [{ AllocatedUsageQuantity: 6 }, { AllocatedUsageQuantity: -1 }] }],
    ['an allocation without amount', { UsageAllocations: [{}] }],
    ['a tag without value', { UsageAllocations: [{ AllocatedUsageQuantity: 5, Tags: [{ Key: 'a' }] }] }],
  ])('refuses %s', async (_, given) => {
    const before = fake.counted.size;
    expect((await report(usage(given))).status).toBe(422);
    expect(fake.counted.size).toBe(before);
  });

  it('lets only site admins in, before it looks at the body', async () => {
    for (const body of [usage(), {}]) {
      expect((await report(body, { ...stranger, http: world.nobody })).status).toBe(401);
      expect((await report(body, stranger)).status).toBe(403);
    }
    expect((await check({ ...stranger, http: world.nobody })).status).toBe(401);
    expect((await check(stranger)).status).toBe(403);
  });

  it('is ready when the provider can be reached', async () => {
    const answer = await check();
    expect([answer.status, answer.text, answer.header('content-length')]).toEqual([200, '', '0']);
    fake.trouble(() => 'lose');
    expect(short(await check())).toEqual([503, 'unavailable']);
    fake.trouble(() => 500);
    expect(short(await check())).toEqual([503, 'unavailable']);
    fake.trouble(() => undefined);
  });

  it('has no routes of provider C', async () => {
    for (const path of ['report-usage', 'check/readiness']) {
      const answer = await world.siteAdmin.http.get(`${base}/providerc/${path}`);
      expect([answer.status, answer.text]).toEqual([404, '{"message":"Not Found"}']);
    }
  });
});

describe('provider C', () => {
  const stack = new AsyncDisposableStack();
  let fake: FakeProviderC;
  let world: World;
  const usage = (given: object = {}) => ({
    name: 'report-1', startTime: '2026-11-22T09:00:00Z', endTime: '2026-11-22T10:00:00Z', labels: { team: 'a' },
    value: { int64Value: 5 }, dimension: 'cpu', serviceName: fake.settings['marketplace.providerc.serviceName'], ...given,
  });
  const report = (json: unknown) => world.siteAdmin.http.post(`${base}/providerc/report-usage`, { json });
  const check = () => world.siteAdmin.http.get(`${base}/providerc/check/readiness`);

  beforeAll(async () => {
    fake = stack.use(await fakeProviderC());
    const settings = { ...listenerSettings, ...fake.settings, 'deployment.type': 'ProviderCMarketplace' };
    world = stack.use(await startWorld({ hosts: listenerHosts, settings }));
  }, 120_000);
  afterAll(() => stack.disposeAsync());

  it('is not ready before it is signed in', async () => {
    for (const trouble of ['nonsense', 500, 'lose'] as const) {
      fake.trouble(() => trouble);
      expect(short(await check())).toEqual([503, 'unavailable']);
    }
    fake.trouble(() => undefined);
  });

  it("answers with the provider's answer, and counts a repeat once", async () => {
    const [first, second] = [await report(usage()), await report(usage())];
    expect([first.status, first.text]).toEqual([200, '{"serviceConfigId":"2026-11-22r0","serviceRolloutId":"2026-11-22r0"}']);
    expect(first.header('content-type')).toBe('application/json');
    expect(second.text).toBe(first.text);
    expect([...fake.counted.values()]).toEqual(['5']);
    await report(usage({ startTime: '2026-11-22T08:00:00Z', endTime: '2026-11-22T09:00:00Z' }));
    expect(fake.counted.size).toBe(2);
  });

  it('takes large integers as text, and doubles', async () => {
    expect((await report(usage({ name: 'large', value: { int64Value: '9223372036854775807' } }))).status).toBe(200);
    expect((await report(usage({ name: 'double', value: { doubleValue: 0.25 } }))).status).toBe(200);
    expect([...fake.counted.values()].slice(-2)).toEqual(['9223372036854775807', '0.25']);
  });

  it('is 500 when the provider refuses', async () => {
    const answer = await report(usage({ dimension: 'unknown' }));
    expect([answer.status, answer.json()]).toEqual([500, expect.objectContaining({
      code: '3', message: 'The metric is not defined.', origErr: { code: 3, message: 'The metric is not defined.' },
    })]);
    fake.trouble(({ url }) => (url === '/token' ? undefined : 429));
    expect(short(await report(usage()))).toEqual([500, 'RESOURCE_EXHAUSTED']);
    fake.trouble(() => undefined);
  });

  it.each<[string, object]>([
    ['no name', { name: null }], ['an empty name', { name: '' }], ['no times', { startTime: null }],
    ['an end that is the start', { endTime: '2026-11-22T09:00:00Z' }], ['no value', { value: null }],
    ['an empty value', { value: {} }], ['two values', { value: { int64Value: 1, doubleValue: 1 } }],
    ['a fraction', { value: { int64Value: 1.5 } }], ['a negative integer', { value: { int64Value: -1 } }],
    ['too large an integer', { value: { int64Value: '9223372036854775808' } }],
    ['a text that is no number', { value: { int64Value: '1e3' } }], ['a boolean', { value: { int64Value: true } }],
    ['a negative double', { value: { doubleValue: -0.5 } }], ['another service', { serviceName: 'other.example.org' }],
    ['no dimension', { dimension: null }], ['labels that are no texts', { labels: { team: 1 } }],
  ])('refuses %s', async (_, given) => {
    const before = fake.counted.size;
    expect((await report(usage({ ...given, ...('name' in given ? {} : { name: 'refused' }) }))).status).toBe(422);
    expect(fake.counted.size).toBe(before);
  });

  it('is ready when it is signed in, and not with a token that it was given before the provider went away', async () => {
    expect((await check()).status).toBe(200);
    fake.trouble(() => 'lose');
    expect(short(await check())).toEqual([503, 'unavailable']);
    fake.trouble(() => undefined);
    expect((await check()).status).toBe(200);
  });
});
