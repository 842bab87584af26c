import { describe, expect, it } from '@jest/globals';
import { otlpCollector } from '@platform/testing';
import { Secret } from './secret.ts';
import { startTelemetry, traceHeaders, withSpan } from './telemetry.ts';

describe('without an endpoint', () => {
  it('only calls the work, and sends nothing along', async () => {
    await using telemetry = await startTelemetry({ service: 'spec', endpoint: undefined });
    expect(telemetry).toBeDefined();
    expect(await withSpan('work', {}, async () => traceHeaders())).toEqual({});
    await expect(withSpan('work', {}, () => Promise.reject(new RangeError('no')))).rejects.toThrow(RangeError);
  });
});

describe('with an endpoint', () => {
  it('joins the spans of two hops into one tree', async () => {
    await using collector = await otlpCollector();
    {
      await using telemetry = await startTelemetry({
        service: 'spec',
        endpoint: collector.endpoint,
        headers: [new Secret('x-key=v')],
      });
      expect(telemetry).toBeDefined();
      const sent = await withSpan('gateway', { kind: 'server' }, () =>
        withSpan('call', { kind: 'client' }, async () => traceHeaders()),
      );
      await withSpan(
        'service',
        { kind: 'server', from: sent, attributes: { 'url.query': '?token=hunter2' } },
        async () => undefined,
      );
    }
    const [call, gateway, service] = collector.spans;
    expect([call?.name, gateway?.name, service?.name]).toEqual(['call', 'gateway', 'service']);
    expect(call).toMatchObject({ traceId: gateway?.traceId, parentSpanId: gateway?.spanId });
    expect(service).toMatchObject({ traceId: gateway?.traceId, parentSpanId: call?.spanId });
    expect(JSON.stringify(collector.spans)).not.toContain('hunter2');
    expect(collector.headers.map((headers) => headers['x-key'])).toEqual(['v']);
  });

  it('marks failed steps, and keeps the error for the caller', async () => {
    await using collector = await otlpCollector();
    {
      await using telemetry = await startTelemetry({ service: 'spec', endpoint: collector.endpoint });
      expect(telemetry).toBeDefined();
      await expect(withSpan('throws', {}, () => Promise.reject(new RangeError('no')))).rejects.toThrow(RangeError);
      await withSpan('says', {}, async (span) => span.fail('refused'));
    }
    expect(collector.spans.map(({ name, status }) => [name, status.code])).toEqual([
      ['throws', 2],
      ['says', 2],
    ]);
  });

  it('makes no trace of a call that belongs to nothing', async () => {
    await using collector = await otlpCollector();
    {
      await using telemetry = await startTelemetry({ service: 'spec', endpoint: collector.endpoint });
      expect(telemetry).toBeDefined();
      await withSpan('poll', { kind: 'client' }, async (span) => span.set({ rows: 0 }));
      await withSpan('work', {}, () => withSpan('call', { kind: 'client' }, async () => undefined));
    }
    expect(collector.spans.map(({ name }) => name)).toEqual(['call', 'work']);
  });

  it('records the share asked for, and follows the decision of the caller', async () => {
    await using collector = await otlpCollector();
    {
      await using telemetry = await startTelemetry({ service: 'spec', endpoint: collector.endpoint, sampleRatio: 0 });
      expect(telemetry).toBeDefined();
      await withSpan('own', {}, async () => undefined);
      const from = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };
      await withSpan('sampled by the caller', { from }, async () => undefined);
    }
    expect(collector.spans.map(({ name }) => name)).toEqual(['sampled by the caller']);
  });

  it('does no harm when the collector is away', async () => {
    const telemetry = await startTelemetry({ service: 'spec', endpoint: 'http://127.0.0.1:1' });
    expect(await withSpan('work', {}, async () => 7)).toBe(7);
    await expect(telemetry[Symbol.asyncDispose]()).resolves.toBeUndefined();
  });
});
