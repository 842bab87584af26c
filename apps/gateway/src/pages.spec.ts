import { afterAll, expect, test } from '@jest/globals';
import { createRateLimiter } from '@platform/limits';
import { startTestRest } from '@platform/rest/testdata';
import { createReadiness } from '@platform/service';
import { http } from '@platform/testing';
import { ownPages } from './pages.ts';

const options = {
  readiness: createReadiness({}), rateLimiter: createRateLimiter(undefined), document: '{"openapi":"3.1.0"}', basePath: '',
};
const running = await startTestRest({ serve: { pages: ownPages(options) } });
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
  await using below = await startTestRest({ serve: { pages: ownPages({ ...options, basePath: '/a%22b' }) } });
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
  await using stopping = await startTestRest({ serve: { pages: ownPages({ ...options, readiness }) } });
  readiness.stop();
  const asked = http(stopping.baseUrl);
  const ready = await asked.get('/readyz');
  expect([(await asked.get('/livez')).status, ready.status, ready.json()])
    .toEqual([200, 503, { ready: false, stopping: true, checks: [] }]);
});

const limited = ['/api/v1/openapi.json', '/api/swagger', '/api/swagger/start.js', '/api/swagger/swagger-ui.css', '/api/swagger/swagger-ui-bundle.js'];

test.each(['/livez', '/readyz', ...limited])('%s has GET and HEAD, says so, and refuses other methods', async (path) => {
  const [page, head] = [await client.get(path), await client.send('HEAD', path)];
  expect([page.status, page.text === '', head.status, head.text]).toEqual([200, false, 200, '']);
  expect(head.header('content-length')).toBe(page.header('content-length'));
  expect((await client.get(`${path}/`)).text).toBe(page.text);
  const allowed = await client.send('OPTIONS', path);
  expect([allowed.status, allowed.text, allowed.header('allow')]).toEqual([204, '', 'GET, HEAD']);
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE']) {
    const refused = await client.send(method, path);
    expect([refused.status, refused.header('allow'), refused.json()]).toEqual([405, 'GET, HEAD', expect.objectContaining({
      message: 'this path allows GET, HEAD', code: 'method_not_allowed',
    })]);
  }
  for (const other of [`${path}/x`, path.toUpperCase()]) expect((await client.get(other)).text).toBe('{"message":"Not Found"}');
});

test('pages that programs read are limited by address, and health checks are not', async () => {
  const rate = { perSecond: 0.001, burst: limited.length };
  const rateLimiter = createRateLimiter({ anonymous: rate, failedCredentials: rate, account: rate });
  await using bound = await startTestRest({ serve: { rateLimiter, pages: ownPages({ ...options, rateLimiter }) } });
  const reader = http(bound.baseUrl);
  const statuses = async (paths: readonly string[]) => Promise.all(paths.map(async (path) => (await reader.get(path)).status));
  expect(await statuses(limited)).toEqual(limited.map(() => 200));
  expect(await statuses(limited)).toEqual(limited.map(() => 429));
  expect(await statuses(['/livez', '/readyz', '/livez'])).toEqual([200, 200, 200]);
});
