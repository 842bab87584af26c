import { afterAll, describe, expect, test } from '@jest/globals';
import { listenerErrors } from '@platform/http';
import { http } from '@platform/testing';
import { startTestRest } from '../testdata/test-rest.ts';

const serves = (template: string) => template.startsWith('/api/v1/shapes') || template.startsWith('/api/v1/whoami');
const running = await startTestRest({ serve: { errors: listenerErrors, serves } });
const client = http(running.baseUrl);

afterAll(async () => running[Symbol.asyncDispose]());

describe('a second REST server with options of its own', () => {
  test('serves its methods only', async () => {
    expect((await client.post('/api/v1/shapes', { json: { text: 'a' } })).status).toBe(200);
    expect((await client.get('/api/v1/things/a')).text).toBe('{"message":"Not Found"}');
  });

  test('has its own error body and statuses, also for input that is not HTTP', async () => {
    const headers = { 'X-Request-Id': 'r1' };
    const malformed = await client.post('/api/v1/shapes', { body: '{', headers });
    expect([malformed.status, malformed.json()]).toEqual([
      400,
      { message: 'the body is not JSON', code: 'malformed_body', requestId: 'r1' },
    ]);
    expect((await client.post('/api/v1/shapes', { json: { flag: 1 } })).status).toBe(422);
    const refused = await client.get('/api/v1/whoami', { headers });
    expect([refused.status, refused.header('www-authenticate'), Object.keys(refused.json<object>())]).toEqual([
      401,
      'Bearer',
      ['message', 'code', 'requestId'],
    ]);
    const [broken] = await client.exchange('nonsense\r\n\r\n');
    expect([broken!.status, Object.keys(broken!.json<object>())]).toEqual([400, ['message', 'code', 'requestId']]);
  });
});
