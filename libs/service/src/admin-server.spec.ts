import { describe, expect, it } from '@jest/globals';
import { startAdminServer } from './admin-server.ts';
import { createReadiness } from './health.ts';
import type { Check } from './health.ts';
import { createMetrics } from './metrics.ts';

async function startWith(checks: Record<string, Check>, timeoutMs?: number, listen = '127.0.0.1:0') {
  const readiness = createReadiness(checks, timeoutMs);
  const metrics = createMetrics({ service: 'spec', defaults: false });
  metrics.counter({ name: 'calls_total', help: 'Calls.' }).with({}).add();
  const server = await startAdminServer({ listen, readiness, metrics });
  const get = (path: string, method = 'GET'): Promise<Response> => fetch(`http://${server.address}${path}`, { method });
  return { address: server.address, readiness, get, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

describe('the admin server', () => {
  it('is alive and ready when every check passes', async () => {
    await using admin = await startWith({ postgres: async () => undefined });
    expect((await admin.get('/livez')).status).toBe(200);
    const ready = await admin.get('/readyz');
    expect(ready.status).toBe(200);
    expect(await ready.json()).toEqual({ ready: true, stopping: false, checks: [{ name: 'postgres', ok: true }] });
  });

  it('listens on both families where it listens on [::]', async () => {
    await using admin = await startWith({}, undefined, '[::]:0');
    const port = /^\[::\]:(\d+)$/.exec(admin.address)![1];
    for (const host of ['[::1]', '127.0.0.1']) expect((await fetch(`http://${host}:${port}/livez`)).status).toBe(200);
  });

  it('is alive but not ready when a check fails or takes too long, and names it', async () => {
    await using admin = await startWith(
      {
        postgres: async () => undefined,
        bus: () => Promise.reject(new Error('away')),
        engine: () => new Promise(() => undefined),
      },
      20,
    );
    expect((await admin.get('/livez')).status).toBe(200);
    const ready = await admin.get('/readyz');
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({
      ready: false,
      checks: [
        { name: 'postgres', ok: true },
        { name: 'bus', ok: false },
        { name: 'engine', ok: false },
      ],
    });
  });

  it('is ready without what it only mentions, and says that it is away', async () => {
    await using admin = await startWith({ postgres: async () => undefined });
    admin.readiness.mentions('bus', () => Promise.reject(new Error('away')));
    const ready = await admin.get('/readyz');
    expect(ready.status).toBe(200);
    const checks = [{ name: 'postgres', ok: true }, { name: 'bus', ok: false, reason: 'away', needed: false }];
    expect(await ready.json()).toEqual({ ready: true, stopping: false, checks });
  });

  it('is not ready once it stops', async () => {
    await using admin = await startWith({});
    admin.readiness.stop();
    const ready = await admin.get('/readyz');
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({ stopping: true });
  });

  it('runs the checks once for those who ask at the same time', async () => {
    let runs = 0;
    const readiness = createReadiness({ slow: async () => void (runs += 1) });
    await Promise.all([readiness.report(), readiness.report(), readiness.report()]);
    expect(runs).toBe(1);
    await readiness.report();
    expect(runs).toBe(2);
  });

  it('answers the metrics', async () => {
    await using admin = await startWith({});
    const answer = await admin.get('/metrics');
    expect(answer.headers.get('content-type')).toContain('text/plain');
    expect(await answer.text()).toContain('calls_total{service="spec"} 1');
  });

  it('answers each check as a number', async () => {
    await using admin = await startWith({ postgres: async () => undefined, bus: () => Promise.reject(new Error('away')) });
    const text = await (await admin.get('/metrics')).text();
    expect(text).toContain('service_ready{service="spec"} 0');
    expect(text).toContain('service_check_up{check="postgres",service="spec"} 1');
    expect(text).toContain('service_check_up{check="bus",service="spec"} 0');
  });

  it('knows no other path or method', async () => {
    await using admin = await startWith({});
    expect((await admin.get('/')).status).toBe(404);
    const posted = await admin.get('/livez', 'POST');
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});
