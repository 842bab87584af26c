import { afterAll, describe, expect, test } from '@jest/globals';
import type { Deployment } from '@platform/surface';
import { http } from '@platform/testing';
import { aliceToken } from '../testdata/test-service.ts';
import { startTestRest } from '../testdata/test-rest.ts';

const usual = await startTestRest();
const client = http(usual.baseUrl);

afterAll(async () => usual[Symbol.asyncDispose]());

/** Starts a gateway of another deployment before the same service. */
async function deployedAs(deployment: Partial<Deployment>) {
  const started = await startTestRest({ deployment, addresses: [usual.serviceAddress] });
  return { client: http(started.baseUrl), [Symbol.asyncDispose]: () => started[Symbol.asyncDispose]() };
}

const plainNotFound = '{"message":"Not Found"}';

/** The table of open-points 1.2, row by row. */
describe('routing', () => {
  test('an unknown path is the plain 404 for every method, with any token', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']) {
      for (const headers of [{}, { Authorization: `token ${aliceToken}` }, { Authorization: 'token bad' }]) {
        const answer = await client.send(method, '/api/v1/nobody-knows?token=a&token=b', { headers });
        expect([answer.status, answer.text, answer.header('content-type')]).toEqual([
          404,
          plainNotFound,
          'application/json',
        ]);
        expect(answer.header('x-request-id')).toBeDefined();
      }
    }
    expect((await client.send('HEAD', '/api/v1/nobody-knows')).text).toBe('');
  });

  test('an unregistered route is the same as an unknown path', async () => {
    const answers = await Promise.all(['GET', 'POST', 'OPTIONS'].map((verb) => client.send(verb, '/api/v1/hosted')));
    expect(answers.map(({ status, text }) => [status, text])).toEqual(Array(3).fill([404, plainNotFound]));
  });

  test('a gate opens where the deployment is of its kind', async () => {
    await using hosted = await deployedAs({ type: 'Hosted' });
    expect((await hosted.client.get('/api/v1/hosted')).status).toBe(200);
  });

  test.each(['/api/v1/things/ball', '/api/v1/things/ball/', '/api/v1/things/claim', '/api/v1/things/claim/'])(
    'a slash at the end of %s changes nothing and redirects nowhere',
    async (path) => {
      expect((await client.get(path)).status).toBe(200);
      expect((await client.get(`${path}//`)).status).toBe(404);
    },
  );

  test('a wrong method is 405 with Allow, before authentication', async () => {
    const answer = await client.post('/api/v1/whoami?token=short', { headers: { Authorization: 'token other-one' } });
    expect([answer.status, answer.header('allow'), answer.json<{ code: string }>().code]).toEqual([
      405,
      'GET, HEAD',
      'method_not_allowed',
    ]);
    expect((await client.send('TRACE', '/api/v1/whoami')).status).toBe(405);
  });

  test.each(['FOO', 'get', 'GETX', 'BREW', 'CONNECT'])('%s is no method, here or anywhere', async (method) => {
    const ask = async (target: string) =>
      (await client.exchange(`${method} ${target} HTTP/1.1\r\nHost: x\r\n\r\n`, { answers: 2 }))[0]!;
    const answer = await ask('/api/v1/whoami?token=short');
    expect([answer.status, answer.header('allow'), answer.json<{ code: string }>().code]).toEqual([
      405,
      'GET, HEAD',
      'method_not_allowed',
    ]);
    expect(answer.header('connection')).toBe('close');
    for (const target of ['/api/v1/nobody-knows', 'example.org:443', '*']) {
      const unknown = await ask(target);
      expect([unknown.status, unknown.text]).toEqual([404, plainNotFound]);
    }
  });

  test('Allow is the union over the patterns of the path, where a fixed segment excludes the parameter', async () => {
    const allow = async (path: string) => (await client.send('OPTIONS', path)).header('allow');
    expect(await allow('/api/v1/things/ball')).toBe('GET, HEAD, DELETE');
    expect(await allow('/api/v1/things/claim')).toBe('GET, HEAD');
    expect(await allow('/api/v1/rest/one')).toBe('GET, HEAD, POST');
    expect(await allow('/api/v1/rest/one/two')).toBe('GET, HEAD');
    expect((await client.delete('/api/v1/things/claim')).status).toBe(405);
  });

  test('OPTIONS is 204 with Allow and grants nothing across origins', async () => {
    const answer = await client.send('OPTIONS', '/api/v1/whoami', { headers: { Origin: 'https://a.example' } });
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(answer.header('content-length')).toBeUndefined();
    expect(answer.headers.filter(([name]) => name.toLowerCase().startsWith('access-control'))).toEqual([]);
  });

  test('HEAD answers what GET does, without the body', async () => {
    const [head, get] = [await client.send('HEAD', '/api/v1/things/ball'), await client.get('/api/v1/things/ball')];
    expect([head.status, head.text, head.header('content-length')]).toEqual([
      get.status,
      '',
      get.header('content-length'),
    ]);
    const refused = await client.send('HEAD', '/api/v1/whoami');
    expect([refused.status, refused.text, refused.header('www-authenticate')]).toEqual([401, '', 'Bearer']);
  });

  test('fixed segments are case-sensitive and win over parameters, also unregistered', async () => {
    expect((await client.get('/api/v1/things/claim')).text).toBe('');
    expect((await client.get('/api/v1/things/Claim')).json()).toEqual({ name: 'Claim' });
    expect((await client.get('/API/v1/things/ball')).text).toBe(plainNotFound);
    const hidden = await client.get('/api/v1/things/hidden');
    expect([hidden.status, hidden.text]).toEqual([404, plainNotFound]);
    await using withTests = await deployedAs({ testRoutes: true });
    const shown = await withTests.client.get('/api/v1/things/hidden');
    expect([shown.status, shown.text]).toEqual([200, '']);
  });

  test('%2F is part of its segment, and other escapes are what they stand for', async () => {
    expect((await client.get('/api/v1/things/a%2Fb')).json()).toEqual({ name: 'a/b' });
    expect((await client.get('/api/v1/%74hings/%C3%A4')).json()).toEqual({ name: 'ä' });
  });

  test.each(['%', '%zz', '%ff', '%00', '%ed%a0%80', '%c0%80'])('a path segment of %s is 400', async (segment) => {
    const answer = await client.get(`/api/v1/things/${segment}`);
    expect([answer.status, answer.json<{ code: string }>().code]).toEqual([400, 'invalid_parameter']);
    expect((await client.get(`/api/v1/${segment}/x`)).text).toBe(plainNotFound);
  });

  test('a rest of a path keeps its separators apart from escaped ones', async () => {
    expect((await client.get('/api/v1/rest/a/b%2Fc/d%20e/')).json()).toEqual({ path: 'a/b%2Fc/d e' });
    expect((await client.get('/api/v1/rest/')).status).toBe(200);
    expect((await client.get('/api/v1/rest/a/%2e%2e/b')).status).toBe(400);
  });

  test('an absolute target is taken for its path', async () => {
    const [answer] = await client.exchange(
      'GET http://other.example/api/v1/things/ball?x=1 HTTP/1.1\r\nHost: x\r\n\r\n',
    );
    expect(answer!.json()).toEqual({ name: 'ball' });
    const [odd] = await client.exchange('GET * HTTP/1.1\r\nHost: x\r\n\r\n');
    expect([odd!.status, odd!.text]).toEqual([404, plainNotFound]);
    const [double] = await client.exchange('GET //api/v1/things/ball HTTP/1.1\r\nHost: x\r\n\r\n');
    expect([double!.status, double!.text]).toEqual([404, plainNotFound]);
  });
});
