import { connect } from 'node:net';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Fault } from '@platform/faults';
import { http, until } from '@platform/testing';
import { refusalOf } from '../testdata/refusal.ts';
import { startTestRest } from '../testdata/test-rest.ts';
import type { WireMessage } from '../testdata/test-service.ts';

const chunk = Buffer.alloc(64 * 1024, 'x');
/** The number of requested pieces by file name, and the file names of ended streams. */
const asked = new Map<string, number>();
const ended = new Set<string>();
const patience = { within: 30_000 };

const running = await startTestRest({ streams: { StreamDocument: ({ name }) => pieces(String(name)) } });
const client = http(running.baseUrl);

/** A file name `count/name`. The count is the number of chunks, or -1 for an endless stream. */
async function* pieces(name: string): AsyncGenerator<WireMessage> {
  const count = Number(name.split('/')[0]);
  try {
    if (name.endsWith('refused')) throw new Fault('FORBIDDEN', 'not today');
    const size = name.endsWith('short') ? (count + 1) * chunk.length : count * chunk.length;
    yield { body: { content_type: 'text/plain', data: Buffer.alloc(0) }, filename: 'a b.txt', ...(count < 0 || name.endsWith('broken') ? {} : { size }) };
    for (let sent = 0; sent !== count; sent += 1) {
      asked.set(name, sent + 1);
      yield { body: { data: chunk } };
    }
    if (name.endsWith('broken')) throw new Fault('CONFLICT', 'broken');
  } finally {
    ended.add(name);
  }
}

afterAll(async () => running[Symbol.asyncDispose]());

describe('a streamed answer', () => {
  test('has the type, name and length of its first message, and the bytes of all', async () => {
    const answer = await client.get('/test-files/40/whole');
    expect(answer.body.equals(Buffer.concat(Array(40).fill(chunk)))).toBe(true);
    expect(['content-type', 'content-disposition', 'content-length'].map((name) => answer.header(name))).toEqual([
      'text/plain',
      'attachment; filename="a b.txt"',
      String(40 * chunk.length),
    ]);
  });

  test('may be empty', async () => {
    const answer = await client.get('/test-files/0/whole');
    expect([answer.status, answer.text, answer.header('content-length')]).toEqual([200, '', '0']);
  });

  test('HEAD has its headers, and ends the stream', async () => {
    const answer = await client.send('HEAD', '/test-files/40/head');
    expect([answer.status, answer.text, answer.header('content-length')]).toEqual([200, '', String(40 * chunk.length)]);
    await until(() => ended.has('40/head'), { what: 'the stream ends', ...patience });
    expect(asked.get('40/head') ?? 0).toBeLessThan(40);
  });

  test('is an error answer while nothing is sent', async () => {
    expect(refusalOf(await client.get('/test-files/1/refused'))).toEqual([403, 'forbidden', undefined]);
  });

  test.each(['3/broken', '3/short'])('is cut when it fails later: %s', async (name) => {
    const outcome = await client.get(`/test-files/${name}`).then(({ status }) => status, () => 'cut');
    expect(outcome).toBe('cut');
    expect((await client.get('/api/v1/things/a')).status).toBe(200);
  });

  test('goes as fast as the client reads, and ends when it leaves', async () => {
    const { port, hostname } = new URL(running.baseUrl);
    const socket = connect(Number(port), hostname);
    socket.write('GET /test-files/-1/endless HTTP/1.1\r\nHost: x\r\n\r\n');
    await until(() => socket.bytesRead > 0, { what: 'the first bytes come', ...patience });
    socket.pause();
    let before = -1;
    await until(() => {
      const now = asked.get('-1/endless') ?? 0;
      const isStill = now === before;
      before = now;
      return isStill;
    }, { what: 'the stream waits for the client', ...patience });
    // Sockets and gRPC buffer a few megabytes between them.
    expect(before * chunk.length).toBeLessThan(64 * 1024 * 1024);
    socket.destroy();
    await until(() => ended.has('-1/endless'), { what: 'the stream ends', ...patience });
  });
});
