import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { KubeConfig } from '@kubernetes/client-node';
import { describe, expect, it } from '@jest/globals';
import { silentLogger } from '@platform/service';
import { until } from '@platform/testing';
import { openCluster } from './connection.ts';
import { type Resource, watchObjects } from './watch-objects.ts';

const resource: Resource = {
  group: 'apps', version: 'v1', name: 'deployments', kind: 'Deployment', scope: 'Namespaced',
};
const object = (name: string, resourceVersion: string) => ({ metadata: { name, resourceVersion } });
const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Expired', code: 410 };
const line = (response: ServerResponse, type: string, about: object) =>
  response.write(`${JSON.stringify({ type, object: about })}\n`);

/**
 * An API server that twice answers 410, because it no longer has the changes: first within a watch, then to a request
 * to watch.
 */
async function forgetful() {
  const lists = [['a', 'b'], ['b', 'c'], ['d']];
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url!, 'http://server');
    const version = searchParams.get('resourceVersion');
    asked.push(version === null ? 'list' : `watch ${version}`);
    response.setHeader('content-type', 'application/json');
    const listed = asked.filter((one) => one === 'list').length;
    if (version === null) {
      const items = lists[listed - 1]!.map((name) => object(name, String(listed)));
      response.end(JSON.stringify({ kind: 'DeploymentList', metadata: { resourceVersion: `${listed}0` }, items }));
    } else if (listed === 1) {
      line(response, 'MODIFIED', object('a', '11'));
      line(response, 'ERROR', status);
      response.end();
    } else if (listed === 2) {
      response.writeHead(410).end(JSON.stringify(status));
    } else {
      line(response, 'ADDED', object('e', '31'));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const config = new KubeConfig();
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  config.loadFromClusterAndUser({ name: 'forgetful', server: address, skipTLSVerify: true }, { name: 'spec', token: 'spec' });
  return {
    asked,
    cluster: openCluster({ config, server: address }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

describe('a watch', () => {
  it('reads the list again where the server no longer has the changes', async () => {
    await using server = await forgetful();
    await using cluster = server.cluster;
    const heard: string[] = [];
    const said = (what: string) => (name: string) => void heard.push(`${what} ${name}`);
    await using watch = watchObjects(cluster, resource, {
      keep: ({ metadata }) => metadata!.name!,
      listed: (names) => void heard.push(names.join()),
      changed: said('changed'),
      deleted: said('deleted'),
    }, silentLogger);
    await until(() => heard.length === 5, { within: 20_000, what: 'the third watch is heard' });
    expect(heard).toEqual(['a,b', 'changed a', 'b,c', 'd', 'changed e']);
    expect(server.asked).toEqual(['list', 'watch 10', 'list', 'watch 20', 'list', 'watch 30']);
    expect(watch.silentFor()).toBeLessThan(20_000);
  }, 30_000);
});
