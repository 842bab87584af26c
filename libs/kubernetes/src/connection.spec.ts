import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KubeConfig } from '@kubernetes/client-node';
import { expect, it } from '@jest/globals';
import { createOutbound, readProxy } from '@platform/outbound';
import { deadlineIn } from '@platform/service';
import { egressProxy, tcpProxy } from '@platform/testing';
import { openAuthority } from '@platform/tls';
import { openCluster } from './connection.ts';

it('an API server that offers HTTP/2 is used again after connections were reset, at any byte of the handshake', async () => {
  await using server = await startSecureServer();
  const proxy = await tcpProxy(server.address);
  const address = `https://${proxy.address}`;
  const config = new KubeConfig();
  config.loadFromClusterAndUser({ name: 'any', server: address, skipTLSVerify: true }, { name: 'spec', token: 'spec' });
  await using cluster = openCluster({ config, server: address });
  const read = async () => (await cluster.get('/api/v1/pods', {}, deadlineIn(10_000))).body;
  // The handshake of the server has about 1,300 bytes.
  for (let bytes = 1_000; bytes < 1_600; bytes += 1) {
    proxy.cut();
    proxy.cutAfter(bytes);
    await Promise.allSettled([read()]);
    await proxy.release();
    expect([bytes, await read()]).toEqual([bytes, { items: [] }]);
  }
}, 60_000);

it('a cluster is not connected to where its name leads to an address that is refused', async () => {
  await using server = await startSecureServer();
  const address = `https://cluster.example:${server.address.split(':')[1]}`;
  const config = new KubeConfig();
  config.loadFromClusterAndUser({ name: 'any', server: address, skipTLSVerify: true }, { name: 'spec', token: 'spec' });
  const read = async (allowed: readonly string[]) => {
    const outbound = createOutbound({ resolve: async () => ['127.0.0.1'], allowed });
    await using cluster = openCluster({ config, server: address }, outbound);
    return (await cluster.get('/api/v1/pods', {}, deadlineIn(10_000))).body;
  };
  await expect(read([])).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
  expect(server.connections).toBe(0);
  expect(await read(['127.0.0.1/32'])).toEqual({ items: [] });
});

it('a cluster is connected to through the egress proxy, at an address that was judged', async () => {
  await using server = await startSecureServer();
  await using egress = await egressProxy(server.address);
  const address = 'https://cluster.example:6443';
  const config = new KubeConfig();
  config.loadFromClusterAndUser({ name: 'any', server: address, skipTLSVerify: true }, { name: 'spec', token: 'spec' });
  const read = async (resolved: string) => {
    const outbound = createOutbound({ resolve: async () => [resolved], proxy: readProxy({ HTTPS_PROXY: egress.url }) });
    await using cluster = openCluster({ config, server: address }, outbound);
    return (await cluster.get('/api/v1/pods', {}, deadlineIn(10_000))).body;
  };
  expect(await read('192.0.43.8')).toEqual({ items: [] });
  await expect(read('10.0.0.1')).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
  expect(egress.asked).toEqual(['192.0.43.8:6443']);
});

/** Speaks HTTP/2 with clients that support it, as API servers do. */
async function startSecureServer() {
  const folder = await mkdtemp(join(tmpdir(), 'platform-kubernetes-'));
  const authority = await openAuthority(folder);
  const files = await authority.issue({ role: 'service', name: 'apiserver', hosts: ['127.0.0.1'] });
  const [cert, key] = await Promise.all([readFile(files.certificate), readFile(files.key)]);
  const server = createSecureServer({ cert, key, allowHTTP1: true }, (_, response) => response.end('{"items":[]}'));
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    get connections() {
      return connections;
    },
    [Symbol.asyncDispose]: async () => {
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
