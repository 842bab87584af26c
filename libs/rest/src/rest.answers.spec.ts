import { afterAll, describe, expect, test } from '@jest/globals';
import { Fault, type ReasonName } from '@platform/faults';
import { reasons } from '@platform/surface';
import { http } from '@platform/testing';
import { startTestRest } from '../testdata/test-rest.ts';

function refuse({ reason }: Record<string, unknown>): never {
  if (reason === 'BUG') throw new Error('a secret of the house');
  throw new Fault(reason as ReasonName, 'refused', {
    retryAfterSeconds: 1.2,
    violations: [{ path: 'a[1].b', message: 'no' }],
  });
}

const usual = await startTestRest({
  handlers: {
    GetDocument: () => ({ content_type: 'application/pdf', data: Buffer.from([0x25, 0x50, 0xff]) }),
    GetImmutable: () => ({ content_type: 'image/png', data: Buffer.from([0x89]) }),
    PutDocument: ({ document }) => document as Record<string, unknown>,
    Redirect: ({ to = '' }) => ({ location: to, text: 'here' }),
    GetTagged: () => ({ text: 'a', modified: 1_767_225_600 }),
    Refuse: refuse,
    RefuseOtherwise: refuse,
  },
});
const client = http(usual.baseUrl);

afterAll(async () => usual[Symbol.asyncDispose]());

/** Open-points 1.6. */
describe('refusals', () => {
  test.each([...reasons].filter(([name]) => name !== 'REASON_UNSPECIFIED'))(
    '%s has its status and its body',
    async (reason, { httpStatus }) => {
      const answer = await client.get(`/api/v1/refuse?reason=${reason}`, { headers: { 'X-Request-Id': 'r-1' } });
      const { message, ...rest } = answer.json<{ message: string }>();
      expect([answer.status, answer.header('content-type')]).toEqual([httpStatus, 'application/json']);
      expect(typeof message).toBe('string');
      expect(rest).toEqual({
        url: `${usual.baseUrl}/api/swagger`,
        code: reason.toLowerCase(),
        requestId: 'r-1',
        errors: [{ path: 'a[1].b', message: 'no' }],
      });
      expect(answer.header('retry-after')).toBe(httpStatus === 429 || httpStatus === 503 ? '2' : undefined);
      expect(answer.header('www-authenticate')).toBe(httpStatus === 401 ? 'Bearer' : undefined);
    },
  );

  test.each([
    ['NOT_FOUND', 403, undefined],
    ['NOT_ORG_MEMBER', 401, 'Bearer'],
    ['CONFLICT', 409, undefined],
  ])('%s has the status that the method gives it', async (reason, status, authenticate) => {
    const answer = await client.get(`/api/v1/refuse-otherwise?reason=${reason}`);
    expect([answer.status, answer.json<{ code: string }>().code]).toEqual([status, reason.toLowerCase()]);
    expect(answer.header('www-authenticate')).toBe(authenticate);
  });

  test('nothing internal leaves', async () => {
    const answer = await client.get('/api/v1/refuse?reason=BUG');
    expect([answer.status, answer.json<{ code: string }>().code, answer.text.includes('secret')]).toEqual([
      500,
      'internal',
      false,
    ]);
  });

  test('a request id is taken over when it is valid, and always echoed', async () => {
    const echoed = async (id: string) =>
      (await client.get('/api/v1/things/a', { headers: { 'X-Request-Id': id } })).header('x-request-id');
    expect(await echoed('a.B-c_9')).toBe('a.B-c_9');
    expect(await echoed('a'.repeat(64))).toBe('a'.repeat(64));
    for (const invalid of ['a'.repeat(65), 'a b', '', 'a,b']) expect(await echoed(invalid)).toMatch(/^[0-9a-f-]{36}$/);
    const twice = await client.get('/api/v1/things/a', { headers: { 'X-Request-Id': ['a', 'a'] } });
    expect(twice.header('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('every answer says what browsers may not do with it', async () => {
    for (const path of ['/api/v1/things/a', '/api/v1/whoami', '/nobody-knows', '/', '/api/v1/document']) {
      const answer = await client.get(path);
      expect([answer.header('x-content-type-options'), answer.header('referrer-policy')]).toEqual([
        'nosniff',
        'no-referrer',
      ]);
      expect([answer.header('x-powered-by'), answer.header('server')]).toEqual([undefined, undefined]);
    }
  });
});

describe('answers', () => {
  test('a text is a JSON string', async () => {
    const answer = await client.get('/api/v1/text/a%22b');
    expect([answer.header('content-type'), answer.text]).toEqual(['application/json', '"a\\"b"']);
  });

  test('a document comes in its own type, and goes in one', async () => {
    const answer = await client.get('/api/v1/document');
    expect([answer.header('content-type'), [...answer.body]]).toEqual(['application/pdf', [0x25, 0x50, 0xff]]);
    const broken = await client.put('/api/v1/document', { body: 'a', headers: { 'Content-Type': 'a/b; c=\xe4' } });
    expect(broken.status).toBe(200);
    const sent = await client.put('/api/v1/document', {
      body: Buffer.from([1, 0, 255]),
      headers: { 'Content-Type': 'image/png' },
    });
    expect([sent.header('content-type'), [...sent.body]]).toEqual(['image/png', [1, 0, 255]]);
  });

  test('a redirect is one where there is somewhere to go', async () => {
    const answer = await client.get('/api/v1/redirect?to=https://a.example/b');
    expect([answer.status, answer.header('location'), answer.text]).toEqual([302, 'https://a.example/b', '']);
    expect((await client.get('/api/v1/redirect?to=/%C3%A4%20%0A')).header('location')).toBe('/%C3%A4%20%0A');
    expect((await client.get('/api/v1/redirect')).json()).toEqual({ location: '', text: 'here' });
  });

  test('validators tell whether a copy is still good', async () => {
    const first = await client.get('/api/v1/tagged');
    const tag = first.header('etag')!;
    const date = first.header('last-modified')!;
    expect([first.status, first.header('cache-control'), date]).toEqual([
      200,
      'no-cache',
      'Thu, 01 Jan 2026 00:00:00 GMT',
    ]);
    const status = async (headers: Record<string, string>) => (await client.get('/api/v1/tagged', { headers })).status;
    expect(await status({ 'If-None-Match': `"x", W/${tag}` })).toBe(304);
    expect(await status({ 'If-None-Match': '*' })).toBe(304);
    expect(await status({ 'If-None-Match': '"x"', 'If-Modified-Since': date })).toBe(200);
    expect(await status({ 'If-Modified-Since': date })).toBe(304);
    expect(await status({ 'If-Modified-Since': 'Wed, 31 Dec 2025 23:59:59 GMT' })).toBe(200);
    const unchanged = await client.get('/api/v1/tagged', { headers: { 'If-None-Match': tag } });
    expect([unchanged.text, unchanged.header('content-length'), unchanged.header('etag')]).toEqual([
      '',
      undefined,
      tag,
    ]);
    expect((await client.get('/api/v1/things/a', { headers: { 'If-None-Match': '*' } })).status).toBe(200);
    // A header without effect is refused (open-points 18.8).
    expect((await client.get('/api/v1/things/a', { headers: { 'If-Match': '"x"' } })).status).toBe(400);
  });

  test('what never changes may be kept by everybody', async () => {
    const first = await client.get('/api/v1/immutable');
    const tag = first.header('etag')!;
    expect([first.status, first.header('cache-control'), first.header('content-type'), [...first.body]]).toEqual([
      200,
      'public, max-age=31536000, immutable',
      'image/png',
      [0x89],
    ]);
    const again = await client.get('/api/v1/immutable', { headers: { 'If-None-Match': tag } });
    expect([again.status, again.header('cache-control'), again.text]).toEqual([
      304,
      'public, max-age=31536000, immutable',
      '',
    ]);
  });

  test('a deprecated route names its successor', async () => {
    const answer = await client.get('/api/v1/old/a%2Fb');
    expect([answer.header('deprecation'), answer.header('sunset'), answer.header('link')]).toEqual([
      '@1767225600',
      'Fri, 31 Dec 2027 23:59:59 GMT',
      `<${usual.baseUrl}/api/v1/new/a%2Fb>; rel="successor-version"`,
    ]);
  });
});
