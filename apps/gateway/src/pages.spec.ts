import { afterAll, expect, test } from '@jest/globals';
import { startTestRest } from '@platform/rest/testdata';
import { createReadiness } from '@platform/service';
import { http } from '@platform/testing';
import { ownPages } from './pages.ts';

const options = { readiness: createReadiness({}), document: '{"openapi":"3.1.0"}' };
const locals = ownPages({ ...options, basePath: '' });
const running = await startTestRest({ serve: { locals } });
const client = http(running.baseUrl);

afterAll(async () => running[Symbol.asyncDispose]());

test('the OpenAPI document is served as it was made', async () => {
  const answer = await client.get('/api/v1/openapi.json');
  expect([answer.status, answer.header('content-type'), answer.text]).toEqual([
    200,
    'application/json',
    '{"openapi":"3.1.0"}',
  ]);
});

test('Swagger UI loads nothing from other hosts, and everything it loads is there', async () => {
  const page = await client.get('/api/swagger');
  expect(page.header('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
  const addresses = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address!);
  expect(addresses).toHaveLength(4);
  for (const address of addresses.filter((one) => one !== 'data:,')) {
    expect(address).toMatch(/^\/api\/swagger\//);
    const file = await client.get(address);
    expect([file.status, file.body.length > 100]).toEqual([200, true]);
  }
  expect((await client.get('/api/swagger/start.js')).text).toContain('url: "/api/v1/openapi.json"');
});

test('below a path of the base URL, which a proxy in front takes away, all addresses in pages begin with it', async () => {
  await using below = await startTestRest({ serve: { locals: ownPages({ ...options, basePath: '/a%22b' }) } });
  const reader = http(below.baseUrl);
  const { text } = await reader.get('/api/swagger');
  const addresses = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address!);
  for (const address of addresses.filter((one) => one !== 'data:,')) {
    expect(address).toMatch(/^\/a%22b\/api\//);
    expect((await reader.get(address.replace('/a%22b', ''))).status).toBe(200);
  }
  expect((await reader.get('/api/swagger/start.js')).text).toContain('url: "/a%22b/api/v1/openapi.json"');
});

test('health checks are public', async () => {
  expect([(await client.get('/livez')).status, (await client.get('/readyz')).status]).toEqual([200, 200]);
});

test('a gateway that stops is alive, and not ready', async () => {
  const readiness = createReadiness({});
  await using stopping = await startTestRest({ serve: { locals: ownPages({ ...options, readiness, basePath: '' }) } });
  readiness.stop();
  const asked = http(stopping.baseUrl);
  const ready = await asked.get('/readyz');
  expect([(await asked.get('/livez')).status, ready.status, ready.json()])
    .toEqual([200, 503, { ready: false, stopping: true, checks: [] }]);
});
