import { getEventListeners, once } from 'node:events';
import { createServer as createHttp2 } from 'node:http2';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, it } from '@jest/globals';
import { deadlineIn } from '@platform/service';
import { openReplicas, type UnaryMethod } from './replicas.ts';

const bytes = (message: Buffer) => message;
const path = '/controlplane.version.v1.VersionService/GetVersion';
const method: UnaryMethod<Buffer, Buffer> = { path, requestSerialize: bytes, responseDeserialize: bytes, repeatable: true };

it('a connection that does not come about is given up, and the next call makes another one', async () => {
  const answering = createHttp2();
  answering.on('stream', (stream) => {
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.end(Buffer.alloc(5));
  });
  const sockets: Socket[] = [];
  // The first connection is accepted, but never answered, as if its node were lost.
  const address = createServer((socket) => {
    if (sockets.push(socket) > 1) answering.emit('connection', socket);
  });
  address.listen(0, '127.0.0.1');
  await once(address, 'listening');
  await using stack = new AsyncDisposableStack();
  stack.defer(() => {
    for (const socket of sockets) socket.destroy();
    address.close();
  });
  const replicas = stack.use(openReplicas('a service', [`127.0.0.1:${(address.address() as AddressInfo).port}`]));
  const cancelled = new AbortController().signal;
  const call = () => {
    return replicas.call(method, Buffer.alloc(0), { deadline: deadlineIn(30_000), requestId: 'spec', cancelled }, []);
  };

  await expect(call()).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
  await expect(call()).resolves.toHaveLength(0);
  expect(sockets).toHaveLength(2);
  // A service makes many calls with the same signal, so no call may leave its listener behind.
  expect(getEventListeners(cancelled, 'abort')).toEqual([]);
}, 40_000);
