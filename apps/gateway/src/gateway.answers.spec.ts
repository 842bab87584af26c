import { afterAll, describe, expect, test } from '@jest/globals';
import { Fault, type ReasonName } from '@platform/rpc';
import { reasons } from '@platform/surface';
import { http } from '@platform/testing';
import { startTestGateway } from '../testdata/test-gateway.ts';
import { aliceToken } from '../testdata/test-service.ts';

const usual = await startTestGateway({
  handlers: {
    GetDocument: () => ({ content_type: 'application/pdf', data: Buffer.from([0x25, 0x50, 0xff]) }),
    PutDocument: ({ document }) => document as Record<string, unknown>,
    PostForm: (form) => ({ form }),
    Redirect: ({ to = '' }) => ({ location: to, text: 'here' }),
    GetTagged: () => ({ text: 'a', modified: 1_767_225_600 }),
    ListPages: ({ page = 0, limit = 0, count = 0 }) => {
      const all = Array.from({ length: Number(count) }, (_, index) => index + 1);
      const begin = (Number(page) - 1) * Number(limit);
      return { items: page === 0 ? all : all.slice(begin, begin + Number(limit)), total: count };
    },
    Refuse: ({ reason }) => {
      if (reason === 'BUG') throw new Error('a secret of the house');
      throw new Fault(reason as ReasonName, 'refused', { retryAfterSeconds: 1.2, violations: [{ path: 'a[1].b', message: 'no' }] });
    },
  },
});
const client = http(usual.baseUrl);

afterAll(async () => usual[Symbol.asyncDispose]());

/** Open-points 1.6. */
describe('refusals', () => {
  test.each([...reasons].filter(([name]) => name !== 'REASON_UNSPECIFIED'))('%s has its status and its body', async (reason, { httpStatus }) => {
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
  });

  test('nothing internal leaves', async () => {
    const answer = await client.get('/api/v1/refuse?reason=BUG');
    expect([answer.status, answer.json<{ code: string }>().code, answer.text.includes('secret')]).toEqual([500, 'internal', false]);
  });

  test('a request id is taken over when it is valid, and always echoed', async () => {
    const echoed = async (id: string) => (await client.get('/api/v1/things/a', { headers: { 'X-Request-Id': id } })).header('x-request-id');
    expect(await echoed('a.B-c_9')).toBe('a.B-c_9');
    expect(await echoed('a'.repeat(64))).toBe('a'.repeat(64));
    for (const invalid of ['a'.repeat(65), 'a b', '', 'a,b']) expect(await echoed(invalid)).toMatch(/^[0-9a-f-]{36}$/);
    const twice = await client.get('/api/v1/things/a', { headers: { 'X-Request-Id': ['a', 'a'] } });
    expect(twice.header('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('every answer says what browsers may not do with it', async () => {
    for (const path of ['/api/v1/things/a', '/api/v1/whoami', '/nobody-knows', '/', '/api/v1/document']) {
      const answer = await client.get(path);
      expect([answer.header('x-content-type-options'), answer.header('referrer-policy')]).toEqual(['nosniff', 'no-referrer']);
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
    const sent = await client.put('/api/v1/document', { body: Buffer.from([1, 0, 255]), headers: { 'Content-Type': 'image/png' } });
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
    expect([first.status, first.header('cache-control'), date]).toEqual([200, 'no-cache', 'Thu, 01 Jan 2026 00:00:00 GMT']);
    const status = async (headers: Record<string, string>) => (await client.get('/api/v1/tagged', { headers })).status;
    expect(await status({ 'If-None-Match': `"x", W/${tag}` })).toBe(304);
    expect(await status({ 'If-None-Match': '*' })).toBe(304);
    expect(await status({ 'If-None-Match': '"x"', 'If-Modified-Since': date })).toBe(200);
    expect(await status({ 'If-Modified-Since': date })).toBe(304);
    expect(await status({ 'If-Modified-Since': 'Wed, 31 Dec 2025 23:59:59 GMT' })).toBe(200);
    const unchanged = await client.get('/api/v1/tagged', { headers: { 'If-None-Match': tag } });
    expect([unchanged.text, unchanged.header('content-length'), unchanged.header('etag')]).toEqual(['', undefined, tag]);
    expect((await client.get('/api/v1/things/a', { headers: { 'If-None-Match': '*', 'If-Match': '"x"' } })).status).toBe(200);
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

/** Open-points 1.8. */
describe('lists', () => {
  const path = '/api/v1/pages';
  const link = (relation: string, query: string) => `<${usual.baseUrl}${path}?${query}>; rel="${relation}"`;

  test.each(['count=120', 'count=120&page=0', 'count=120&limit=0&page=0'])('%s is the whole list', async (query) => {
    const answer = await client.get(`${path}?${query}`);
    expect([answer.json<number[]>().length, answer.header('x-total-count'), answer.header('link')]).toEqual([120, '120', undefined]);
  });

  test.each<[string, number[], [string, string][]]>([
    ['count=65&page=1', [1, 30], [['next', 'count=65&page=2&limit=30'], ['last', 'count=65&page=3&limit=30']]],
    ['count=65&limit=20&page=2', [21, 40], [
      ['next', 'count=65&page=3&limit=20'], ['last', 'count=65&page=4&limit=20'],
      ['first', 'count=65&page=1&limit=20'], ['prev', 'count=65&page=1&limit=20'],
    ]],
    ['count=65&limit=500', [1, 50], [['next', 'count=65&page=2&limit=50'], ['last', 'count=65&page=2&limit=50']]],
    ['count=65&limit=20&page=4', [61, 65], [['first', 'count=65&page=1&limit=20'], ['prev', 'count=65&page=3&limit=20']]],
    ['count=65&limit=20&page=9', [], [['first', 'count=65&page=1&limit=20'], ['prev', 'count=65&page=4&limit=20']]],
    ['count=5&limit=20', [1, 5], []],
    ['page=3', [], [['first', 'page=1&limit=30'], ['prev', 'page=1&limit=30']]],
    ['filter=a%20b&count=31&page=1', [1, 30], [['next', 'filter=a%20b&count=31&page=2&limit=30'], ['last', 'filter=a%20b&count=31&page=2&limit=30']]],
  ])('%s is a page with links', async (query, bounds, links) => {
    const answer = await client.get(`${path}?${query}`);
    const items = answer.json<number[]>();
    expect(items.length === 0 ? [] : [items[0], items.at(-1)]).toEqual(bounds);
    expect(answer.header('link')).toBe(links.length === 0 ? undefined : links.map(([relation, to]) => link(relation, to)).join(', '));
    expect(answer.header('x-total-count')).toBe(/count=(\d+)/.exec(query)?.[1] ?? '0');
  });

  test('tokens are never repeated in a link', async () => {
    const answer = await client.get(`${path}?token=${aliceToken}&count=31&page=1&access%5Ftoken=${aliceToken}`);
    expect([answer.status, answer.header('link')?.includes(aliceToken)]).toEqual([200, false]);
  });

  test.each(['page=-1', 'limit=-1', 'limit=a', 'page=1.5', 'page=', 'limit=1&limit=1'])('%s is 400', async (query) => {
    expect((await client.get(`${path}?${query}`)).status).toBe(400);
  });
});

/** Multipart forms (platform.rest.multipart). */
describe('forms', () => {
  function form(parts: [disposition: string, content: string | Buffer, type?: string][], end = '--x--\r\n') {
    const chunks = parts.flatMap(([disposition, content, type]) => [
      `--x\r\nContent-Disposition: form-data; ${disposition}\r\n${type === undefined ? '' : `Content-Type: ${type}\r\n`}\r\n`,
      content,
      '\r\n',
    ]);
    const body = Buffer.concat([...chunks, end].map((chunk) => Buffer.from(chunk as string)));
    return client.post('/api/v1/form', { body, headers: { 'Content-Type': 'multipart/form-data; boundary=x' } });
  }

  test('parts become fields, files and lists', async () => {
    const answer = await form([
      ['name="title"', 'ä'],
      ['name="number"', '12'],
      ['name="flag"', 'true'],
      ['name="tags"', 'a'],
      ['name="tags"', 'b'],
      ['name="maybeTags"', '["c"]', 'application/json'],
      ['name="inner"', '{"count":1}'],
      ['name="document"; filename="a.pdf"', Buffer.from([0, 255]), 'application/pdf'],
      ['name="pictures"; filename="1"', 'x', 'image/png'],
      ['name="pictures"; filename="2"', 'y', 'image/png'],
      ['name="color"', 'COLOR_BLUE'],
      ['name="unknown"', '\xff'],
    ]);
    expect([answer.status, answer.json()]).toEqual([200, { form: {
      title: 'ä', number: 12, flag: true, tags: ['a', 'b'], maybeTags: ['c'], inner: { text: '', count: 1 },
      document: { filename: 'a.pdf', contentType: 'application/pdf', content: 'AP8=' },
      pictures: [
        { filename: '1', contentType: 'image/png', content: 'eA==' },
        { filename: '2', contentType: 'image/png', content: 'eQ==' },
      ],
      color: 'COLOR_BLUE',
    } }]);
  });

  test.each<[string, [string, string | Buffer][], string]>([
    ['a text that is no number', [['name="title"', 'a'], ['name="number"', 'x']], 'number'],
    ['a message that is no JSON', [['name="title"', 'a'], ['name="inner"', '{']], 'inner'],
    ['a wrong type in a JSON part', [['name="title"', 'a'], ['name="inner"', '{"count":"1"}']], 'inner.count'],
    ['a single part twice', [['name="title"', 'a'], ['name="title"', 'b']], 'title'],
    ['a missing part', [['name="number"', '1']], 'title'],
  ])('%s is 422', async (_, parts, path) => {
    const answer = await form(parts);
    expect([answer.status, answer.json<{ errors: { path: string }[] }>().errors[0]!.path]).toEqual([422, path]);
  });

  test('a form that ends early, without boundary or with broken text is 422', async () => {
    expect((await form([['name="title"', 'a']], '')).status).toBe(422);
    expect((await form([['name="title"', Buffer.from([0xff])]])).status).toBe(422);
    const headers = { 'Content-Type': 'multipart/form-data' };
    expect((await client.post('/api/v1/form', { body: 'x', headers })).status).toBe(422);
  });

  test('a file beyond 10 MiB and a form beyond 12 MiB are 413', async () => {
    const file = (size: number) => form([['name="title"', 'a'], ['name="document"; filename="a"', Buffer.alloc(size)]]);
    expect((await file(10 * 1024 * 1024)).status).toBe(200);
    expect((await file(10 * 1024 * 1024 + 1)).status).toBe(413);
    expect((await file(12 * 1024 * 1024)).status).toBe(413);
  });

  test('JSON with the same fields is taken too, any other type is not', async () => {
    expect((await client.post('/api/v1/form', { json: { title: 'a', document: { content: 'AA==' } } })).status).toBe(200);
    expect((await client.post('/api/v1/form', { body: 'a', headers: { 'Content-Type': 'text/plain' } })).status).toBe(415);
  });
});
