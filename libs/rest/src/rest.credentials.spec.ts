import { afterAll, describe, expect, test } from '@jest/globals';
import { connect } from 'node:net';
import { http, type HttpAnswer, type HeaderLine, until } from '@platform/testing';
import { startTestRest } from '../testdata/test-rest.ts';
import { aliceToken, strangerToken } from '../testdata/test-service.ts';

const handlers = {
  WhoAmI: (_: unknown, { caller }: { caller: { login: string } | undefined }) => ({ login: caller?.login ?? '' }),
  Greet: (_: unknown, { caller }: { caller: { login: string } | undefined }) => ({ login: caller?.login ?? '' }),
};

const usual = await startTestRest({ handlers: handlers as never });
const client = http(usual.baseUrl);

afterAll(async () => usual[Symbol.asyncDispose]());

function codeOf(answer: HttpAnswer): unknown {
  return answer.json<{ code?: string }>().code;
}

const authorization = (value: string): HeaderLine => ['Authorization', value];

/** Open-points 1.3, as far as it concerns the gateway. */
describe('credentials', () => {
  test.each<[string, string, HeaderLine[]]>([
    ['the scheme token', '', [authorization(`token ${aliceToken}`)]],
    ['the scheme Bearer', '', [authorization(`Bearer ${aliceToken}`)]],
    ['a scheme in any case', '', [authorization(`TOKEN  ${aliceToken}`)]],
    ['the parameter token', `?token=${aliceToken}`, []],
    ['the parameter access_token', `?access_token=${aliceToken}`, []],
    [
      'the same token in four places',
      `?token=${aliceToken}&access_token=${aliceToken}`,
      [authorization(`token ${aliceToken}`), authorization(`bearer ${aliceToken}`)],
    ],
    ['a token beside another scheme', '', [authorization('Basic YTpi'), authorization(`token ${aliceToken}`)]],
  ])('are taken from %s', async (_, query, headers) => {
    const answer = await client.get(`/api/v1/whoami${query}`, { headers });
    expect([answer.status, answer.json()]).toEqual([200, { login: 'alice' }]);
    expect(answer.header('cache-control')).toBe('no-store');
  });

  test.each<[string, string, HeaderLine[]]>([
    ['two headers', '', [authorization(`token ${aliceToken}`), authorization(`token ${strangerToken}`)]],
    ['a header and a parameter', `?token=${strangerToken}`, [authorization(`token ${aliceToken}`)]],
    ['one parameter twice', `?token=${aliceToken}&token=${strangerToken}`, []],
    ['a token and an empty one', `?token=${aliceToken}&access_token=`, []],
  ])('that differ in %s are ambiguous', async (_, query, headers) => {
    const answer = await client.get(`/api/v1/whoami${query}`, { headers });
    expect([answer.status, codeOf(answer)]).toEqual([400, 'ambiguous_credentials']);
  });

  test.each<[string, string, HeaderLine[]]>([
    ['too short', '', [authorization('token 1234567')]],
    ['too long', '', [authorization(`token ${'a'.repeat(513)}`)]],
    ['without a value', '', [authorization('Bearer')]],
    ['with a control character', '?token=aaaaaaaa%0a', []],
    ['with a broken escape', '?token=aaaaaaaa%zz', []],
    ['beyond ASCII', '?token=aaaaaaaa%C3%A4', []],
    ['good except for a plus before', `?token=+${aliceToken}`, []],
    ['good except for a space behind', `?access_token=${aliceToken}%20`, []],
    ['good except for a tab before', `?token=%09${aliceToken}`, []],
    ['unknown', '', [authorization(`token ${'c'.repeat(40)}`)]],
  ])('that are %s are 401, on public routes too', async (_, query, headers) => {
    for (const path of ['/api/v1/whoami', '/api/v1/greet']) {
      const answer = await client.get(`${path}${query}`, { headers });
      expect([answer.status, codeOf(answer), answer.header('www-authenticate')]).toEqual([
        401,
        'unauthenticated',
        'Bearer',
      ]);
    }
  });

  test('refused tokens look the same, for each cause', async () => {
    const bodies = await Promise.all(
      ['short', 'c'.repeat(40)].map(async (token) => {
        const answer = await client.get('/api/v1/whoami', {
          headers: { Authorization: `token ${token}`, 'X-Request-Id': 'same' },
        });
        return answer.text;
      }),
    );
    expect(bodies[0]).toBe(bodies[1]);
  });

  test('another scheme is no token', async () => {
    const headers = { Authorization: 'Basic YTpi' };
    expect((await client.get('/api/v1/whoami', { headers })).status).toBe(401);
    expect((await client.get('/api/v1/greet', { headers })).json()).toEqual({ login: '' });
  });

  test('are used on public routes when they are there', async () => {
    expect((await client.get(`/api/v1/greet?token=${aliceToken}`)).json()).toEqual({ login: 'alice' });
    // A cache must not give an answer for anonymous callers to members.
    expect((await client.get('/api/v1/greet')).header('cache-control')).toBe('no-store');
  });

  test('are ignored where the answer never depends on the caller', async () => {
    const headers: HeaderLine[] = [authorization('token x'), authorization(`token ${aliceToken}`)];
    const answer = await client.get('/api/v1/things/ball?token=y', { headers });
    expect([answer.status, answer.header('cache-control')]).toEqual([200, 'no-store']);
  });
});

/** Open-points 1.5: each request is also wrong in every later step. */
describe('order of checks', () => {
  const path = '/api/v1/members';
  const badBody = { body: '{' };

  test.each<[string, string, number, string]>([
    ['authenticates before it reads the path', `${path}/0?org=acme&version=x`, 401, 'unauthenticated'],
    [
      'reads the path before it resolves the organization',
      `${path}/0?org=nobody&version=x&token=${strangerToken}`,
      400,
      'invalid_parameter',
    ],
    [
      'reads parameters the access rule needs before it resolves',
      `${path}/1?org=a&org=b&version=x&token=${strangerToken}`,
      400,
      'invalid_parameter',
    ],
    ['misses the organization before membership', `${path}/1?version=x&token=${strangerToken}`, 400, 'missing_org'],
    [
      'resolves the organization before membership',
      `${path}/1?org=nobody&version=x&token=${strangerToken}`,
      404,
      'not_found',
    ],
    [
      'asks for membership before it decodes the body',
      `${path}/1?org=acme&version=x&token=${strangerToken}`,
      403,
      'not_org_member',
    ],
    [
      'decodes the body before other parameters',
      `${path}/1?org=acme&version=x&token=${aliceToken}`,
      422,
      'malformed_body',
    ],
  ])('%s', async (_, target, status, code) => {
    const answer = await client.post(target, { ...badBody, headers: { 'Content-Type': 'application/json' } });
    expect([answer.status, codeOf(answer)]).toEqual([status, code]);
  });

  test.each<[string, number, string, { body: string; type: string }]>([
    ['membership before the type of the body', 403, 'not_org_member', { body: 'x', type: 'text/plain' }],
    [
      'membership before the size of the body',
      403,
      'not_org_member',
      { body: ' '.repeat(2 ** 21 + 1), type: 'application/json' },
    ],
  ])('%s', async (_, status, code, { body, type }) => {
    const answer = await client.post(`${path}/1?org=acme&token=${strangerToken}`, {
      body,
      headers: { 'Content-Type': type },
    });
    expect([answer.status, codeOf(answer)]).toEqual([status, code]);
  });

  test('a missing token before the body, however long that is and whether it comes or not', async () => {
    const head = `POST ${path}/1?org=acme HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;
    for (const body of ['Content-Length: 5000000000\r\n\r\n{', 'Transfer-Encoding: chunked\r\n\r\n1\r\n{']) {
      const [answer] = await client.exchange(head + body);
      expect([answer!.status, codeOf(answer!), answer!.header('connection')]).toEqual([401, 'unauthenticated', 'close']);
    }
    // A client that sends its whole body before reading can still read the answer.
    for (const size of [10, 2 ** 16, 2 ** 23]) {
      const answer = await client.post(`${path}/1?org=acme`, { body: ' '.repeat(size) });
      expect([answer.status, codeOf(answer)]).toEqual([401, 'unauthenticated']);
    }
  });

  test('a body that waits for leave is asked for only where it will be read', async () => {
    const firstLine = async (target: string, expectation = '100-continue', body = '') => {
      let heard = '';
      const socket = connect(Number(new URL(usual.baseUrl).port), '127.0.0.1').setEncoding('latin1');
      socket.on('data', (text) => (heard += String(text)));
      socket.write(`POST ${target} HTTP/1.1\r\nHost: x\r\nExpect: ${expectation}\r\nContent-Length: 2\r\n\r\n${body}`);
      await until(() => heard.includes('\r\n'), { what: 'the gateway says whether it wants the body' });
      socket.destroy();
      return heard.split('\r\n')[0];
    };
    expect(await firstLine(`${path}/1?org=acme`)).toBe('HTTP/1.1 401 Unauthorized');
    expect(await firstLine('/api/v1/shapes')).toBe('HTTP/1.1 100 Continue');
    expect(await firstLine('/api/v1/shapes', '200-ok', '{}')).toBe('HTTP/1.1 200 OK');
    const [answer] = await client.exchange(
      'POST /api/v1/shapes HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n{}',
    );
    expect(answer!.status).toBe(200);
  });

  test('type before size, size before syntax, syntax before other parameters', async () => {
    const target = `${path}/1?org=acme&version=x&token=${aliceToken}`;
    const large = ' '.repeat(2 ** 21 + 1);
    const codes = [];
    for (const [type, body] of [
      ['text/plain', large],
      ['application/json', large],
      ['application/json', '{'],
      ['application/json', '{"role":"x"}'],
    ]) {
      codes.push(codeOf(await client.post(target, { body: body!, headers: { 'Content-Type': type! } })));
    }
    expect(codes).toEqual(['unsupported_media_type', 'body_too_large', 'malformed_body', 'invalid_parameter']);
  });
});
