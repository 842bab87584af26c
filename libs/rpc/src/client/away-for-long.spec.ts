import { once } from 'node:events';
import { createServer, type Http2Server } from 'node:http2';
import { expect, it } from '@jest/globals';
import { deadlineIn } from '@platform/service';
import { freePort } from '@platform/testing';
import { openReplicas, type UnaryMethod } from './replicas.ts';

const bytes = (message: Buffer) => message;
const method: UnaryMethod<Buffer, Buffer> = {
  path: '/controlplane.version.v1.VersionService/GetVersion',
  requestSerialize: bytes, responseDeserialize: bytes, repeatable: false,
};

it('a service that was away for long is reached by each call that begins once it listens again', async () => {
  const port = await freePort();
  await using replicas = openReplicas('a service', [`127.0.0.1:${port}`]);
  const call = () => replicas.call(method, Buffer.alloc(0), { deadline: deadlineIn(10_000), requestId: 'spec' }, []);
  for (let outage = 0; outage < 3; outage += 1) {
    // The first call waits `awayMs` for the replica (replicas.ts). The second call waits only `attemptMs`.
    await expect(call()).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
    await expect(call()).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
    const stop = await answering(port);
    expect(await call()).toEqual(Buffer.alloc(0));
    await stop();
  }
});

/** Answers each call with an empty message. @returns a function that closes the server, and the server's connections */
async function answering(port: number): Promise<() => Promise<void>> {
  const server: Http2Server = createServer();
  const connections = new Set<{ destroy(): void }>();
  server.on('connection', (socket) => connections.add(socket));
  server.on('stream', (stream) => {
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.end(Buffer.alloc(5));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return async () => {
    const closed = once(server, 'close');
    server.close();
    for (const connection of connections) connection.destroy();
    await closed;
  };
}
