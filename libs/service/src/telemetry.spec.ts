import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { Secret } from './secret.ts';
import { startTelemetry, traceHeaders, withSpan } from './telemetry.ts';

interface SentSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly kind: number;
  readonly status: { readonly code?: number };
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
}

/** Takes OTLP/HTTP as a collector does, and keeps what it got. */
async function startCollector(status = 200) {
  const spans: SentSpan[] = [];
  const headers: unknown[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      headers.push(request.headers['x-key']);
      const body = JSON.parse(Buffer.concat(chunks).toString()) as {
        resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[];
      };
      spans.push(...body.resourceSpans.flatMap((resource) => resource.scopeSpans.flatMap((scope) => scope.spans)));
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    spans,
    headers,
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

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
    await using collector = await startCollector();
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
    expect(collector.headers).toEqual(['v']);
  });

  it('marks failed steps, and keeps the error for the caller', async () => {
    await using collector = await startCollector();
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

  it('records the share asked for, and follows the decision of the caller', async () => {
    await using collector = await startCollector();
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
