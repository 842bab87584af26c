import { once } from 'node:events';
import http, { type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it } from '@jest/globals';
import { Secret } from '@platform/service';
import { createPassOn } from './pass-on.ts';
import { writeAnswer } from './write-answer.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server = http.createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A server that passes each request on. `written` settles when the answer has been written. */
async function passing(upstream: string, withinMs: number) {
  const written = Promise.withResolvers<void>();
  const passOn = createPassOn({ name: 'upstream', addresses: [upstream], withinMs, credential: new Secret('x'.repeat(40)) });
  const address = await serve((request, response) => {
    passOn(request, response, { requestId: 'spec', address: '192.0.2.1' })
      .then((answer) => writeAnswer(request, response, answer, { requestId: 'spec', close: false }))
      .then(written.resolve, written.reject);
  });
  return { address, written: written.promise };
}

async function get(address: string): Promise<IncomingMessage> {
  const [answer] = await once(http.get(`http://${address}/`), 'response');
  return answer as IncomingMessage;
}

const large = 'x'.repeat(16 * 1024 * 1024);

it.each([['with a length', { 'content-length': large.length }], ['in chunks', {}]])(
  'an answer %s is passed on whole, as fast as it is read', async (_what, headers) => {
    const upstream = await serve((_, response) => response.writeHead(200, headers).end(large));
    const { address, written } = await passing(upstream, 30_000);
    expect(await text(await get(address))).toBe(large);
    await written;
  },
);

it.each([['with a length', { 'content-length': large.length }], ['in chunks', {}]])(
  'an answer %s that is not read in time is cut, and does not look whole', async (_what, headers) => {
    const upstream = await serve((_, response) => response.writeHead(200, headers).end(large));
    const { address, written } = await passing(upstream, 300);
    const late = expect(written).rejects.toThrow('upstream did not finish before the deadline');
    const answer = await get(address);
    await late;
    await expect(text(answer)).rejects.toThrow('aborted');
  },
);

it('an answer whose upstream closes the connection too early is cut', async () => {
  const upstream = await serve((_, response) => {
    response.writeHead(200, { 'content-length': 1_000 }).write('x', () => response.destroy());
  });
  const { address, written } = await passing(upstream, 30_000);
  const outcomes = await Promise.allSettled([written, get(address).then(text)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
