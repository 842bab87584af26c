import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { http, type HttpClient } from './http.ts';
import { listen } from './sockets.ts';

interface Seen {
  method: string;
  url: string;
  headers: string[];
  body: string;
}

/** Answers with the received request. */
async function mirror(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = (await buffer(request)).toString('latin1');
  const seen: Seen = { method: request.method ?? '', url: request.url ?? '', headers: request.rawHeaders, body };
  response.setHeader('x-two', ['a', 'b']);
  response.end(JSON.stringify(seen));
}

const server = createServer((request, response) => void mirror(request, response));
let client: HttpClient;

beforeAll(async () => {
  client = http(`http://${await listen(server)}`);
});
afterAll(() => void server.close());

describe('the HTTP client', () => {
  it('puts path and headers on the wire as they are', async () => {
    const answer = await client.get('/a//../b?x=%zz&x=2', { headers: [['X-Token', 'one'], ['x-token', 'two']] });
    const { url, headers } = answer.json<Seen>();
    expect(url).toBe('/a//../b?x=%zz&x=2');
    expect(headers.slice(2, 6)).toEqual(['X-Token', 'one', 'x-token', 'two']);
  });

  it('reads repeated headers of the answer', async () => {
    const answer = await client.get('/');
    expect(answer.headerValues('X-Two')).toEqual(['a', 'b']);
    expect(() => answer.header('x-two')).toThrow();
    expect(answer.header('x-three')).toBeUndefined();
  });

  it('sends JSON with its type, and bytes without one', async () => {
    const json = (await client.post('/', { json: { a: 1 } })).json<Seen>();
    expect(json.body).toBe('{"a":1}');
    expect(json.headers).toContain('application/json');
    const raw = (await client.with({ 'x-kept': 'yes' }).put('/', { body: Buffer.from([0, 255]) })).json<Seen>();
    expect(raw.body).toBe('\u0000\u00ff');
    expect(raw.headers).toContain('x-kept');
    expect(raw.headers).not.toContain('application/json');
  });

  it('reads an answer to HEAD, which has no body', async () => {
    const answer = await client.send('HEAD', '/');
    expect([answer.status, answer.body.length]).toEqual([200, 0]);
  });

  it('exchanges raw bytes', async () => {
    const [answer] = await client.exchange('GET /raw HTTP/1.1\r\nHost: a\r\nX-Y: 1\r\nx-y: 2\r\n\r\n');
    expect(answer?.json<Seen>().headers).toEqual(['Host', 'a', 'X-Y', '1', 'x-y', '2']);
    const [refusal] = await client.exchange('NONSENSE\r\n\r\n');
    expect(refusal?.status).toBe(400);
  });

  it('reads pipelined answers one by one', async () => {
    const one = 'GET /1 HTTP/1.1\r\nHost: a\r\n\r\n';
    const answers = await client.exchange(one + one.replace('/1', '/2'), { answers: 2 });
    expect(answers.map((answer) => answer.json<Seen>().url)).toEqual(['/1', '/2']);
  });
});
