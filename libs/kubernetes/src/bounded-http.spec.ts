import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { KubeConfig } from '@kubernetes/client-node';
import { expect, it } from '@jest/globals';
import { deadlineIn } from '@platform/service';
import { openCluster } from './connection.ts';

const mebibyte = 'x'.repeat(1024 * 1024);

it.each<[string, string, RequestListener]>([
  ['never ends', 'BAD_UPSTREAM', (_, response) => {
    const more = (): void => void (response.destroyed || response.write(mebibyte, more));
    more();
  }],
  ['has more values than fit into memory', 'BAD_UPSTREAM', (_, response) => {
    response.end(`{"items":[${'{},'.repeat(1_000_000)}{}]}`);
  }],
  ['stops in the middle', 'DEADLINE_EXCEEDED', (_, response) => void response.write('{"items":[')],
])('an answer of a cluster that %s is refused with %s', async (_, reason, answer) => {
  const server = createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = new KubeConfig();
  config.loadFromClusterAndUser({ name: 'any', server: address, skipTLSVerify: true }, { name: 'spec', token: 'spec' });
  await using cluster = openCluster({ config, server: address });
  const asked = cluster.get('/api/v1/pods', {}, deadlineIn(reason === 'DEADLINE_EXCEEDED' ? 300 : 10_000));
  await expect(asked).rejects.toMatchObject({ reason });
  server.closeAllConnections();
  server.close();
});
