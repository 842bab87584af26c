import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findNginx, http, type Nginx, until } from '@platform/testing';
import { findPrometheus, type Prometheus } from '../observability/prometheus.ts';
import {
  bearer, type ClusterOwner, type MetricsWorld, ok, publicUrl, queryOf, register, registerB, startMetricsWorld,
  unregister, unregisterB,
} from './metrics-world.ts';
import { openDashboard, otherCredentials, realDashboards } from './open-dashboard.ts';

const run = promisify(execFile);
const [startNginx, startPrometheus] = [await findNginx(), await findPrometheus()];
const areThere = startNginx !== undefined && startPrometheus !== undefined;
if (!areThere) {
  process.stdout.write('The hook is not tried behind nginx: Debian has it in the packages nginx-light and prometheus.\n');
}

const datasourceUid = (identity: string) => `mp-${createHash('sha256').update(identity).digest('hex').slice(0, 32)}`;

interface Vector { status: string; data: { result: { metric: { service: string }; value: [number, string] }[] } }

let world: MetricsWorld;

beforeAll(async () => {
  world = await startMetricsWorld({
    credentials: otherCredentials, settings: { 'metricsproxy.tenantPrefix': 'spec.tenant.', ...realDashboards() },
  });
}, 120_000);
afterAll(() => world[Symbol.asyncDispose]());

(areThere ? describe : describe.skip)('with a real nginx and a real Prometheus', () => {
  let acme: ClusterOwner;
  let metrics: Prometheus;
  let front: Nginx;
  let token: string;

  beforeAll(async () => {
    acme = await world.owner();
    metrics = await startPrometheus!([{ service: 'watched', target: world.platform.services.metricsproxy.addresses['admin']! }]);
    token = await acme.issueToken({ backend: { url: metrics.url } });
    front = await startNginx!(`
      location ~ ^/[^/]+(?<rest>/.*)$ {
        auth_request /auth;
        auth_request_set $tenant $upstream_http_x_scope_orgid;
        proxy_set_header Authorization "";
        proxy_set_header X-Scope-OrgID $tenant;
        add_header X-Seen-Tenant $tenant always;
        proxy_pass ${metrics.url}$rest$is_args$args;
      }
      location = /auth {
        internal;
        proxy_pass_request_body off;
        proxy_set_header Content-Length "";
        proxy_pass ${world.platform.baseUrl}/api/v1/metricsproxy/auth$request_uri;
      }`);
    await until(async () => (await metrics.query('up == 1')).length === 1, { within: 30_000, what: 'it has been scraped' });
  }, 120_000);
  afterAll(async () => {
    await front?.[Symbol.asyncDispose]();
    await metrics?.[Symbol.asyncDispose]();
  });

  it('nginx passes on what the hook admits, with the tenant', async () => {
    const other = await world.owner();
    const client = http(front.url);
    const query = (as: string, identity = acme.identity) => client.get(`/${identity}/api/v1/query?query=up`, bearer(as));
    for (const admitted of [token, acme.boss.token, world.siteAdmin.token]) {
      const answer = await query(admitted);
      expect(ok<Vector>(answer).data.result[0]!.metric.service).toBe('watched');
      expect(answer.header('x-seen-tenant')).toBe(`spec.tenant.${acme.organization.id}`);
    }
    const refused = [await query(other.boss.token), await query(token, other.identity), await query('0'.repeat(40))];
    refused.push(await client.get(`/${acme.identity}/api/v1/query?query=up`));
    expect(refused.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    // nginx passes on 401 and 403 only; it answers 500 for all other failures.
    expect((await query(acme.boss.token, 'x.y')).status).toBe(500);
    expect(ok<Vector>(await client.get(`/${acme.identity}/api/v1/query?query=up&token=${token}`)).status).toBe('success');
  });

  it('the data path answers what Prometheus answers', async () => {
    const authorization = `Basic ${Buffer.from(`grafana:${token}`).toString('base64')}`;
    const client = world.queries[0].with({ authorization });
    const get = (path: string) => client.get(queryOf(acme.identity, path));
    const instant = ok<Vector>(await get('api/v1/query?query=up'));
    expect([instant.status, instant.data.result[0]!.metric.service]).toEqual(['success', 'watched']);
    const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    const posted = await client.post(queryOf(acme.identity, 'api/v1/query'), { ...form, body: 'query=up{service="watched"}' });
    expect(ok<Vector>(posted).data.result).toHaveLength(1);
    expect(ok<{ data: string[] }>(await get('api/v1/label/service/values')).data).toContain('watched');
    const compressed = await client.get(queryOf(acme.identity, 'api/v1/labels'), { headers: { 'accept-encoding': 'gzip' } });
    expect([compressed.status, compressed.header('content-encoding')]).toEqual([200, 'gzip']);
    const wrong = await get('api/v1/query?query=up%7B');
    expect([wrong.status, wrong.json<{ errorType: string }>().errorType]).toEqual([400, 'bad_data']);
  });

  it('promtool queries over the data path', async () => {
    const { host } = new URL(world.platform.baseUrl);
    const server = (password: string) => `http://promtool:${password}@${host}/metrics-proxy/${acme.identity}`;
    expect((await run('promtool', ['query', 'instant', server(token), 'up'])).stdout).toMatch(/up\{.*service="watched"\} => 1 /);
    expect((await run('promtool', ['query', 'labels', server(token), 'service'])).stdout).toMatch(/^watched$/m);
    const refused = run('promtool', ['query', 'instant', server('0'.repeat(40)), 'up']);
    await expect(refused).rejects.toMatchObject({ stdout: expect.any(String), stderr: expect.stringMatching(/401|client_error/) });
  });
});

/**
 * The fakes behave like the real servers: these tests pass on both (docs/adr/0116-metrics-proxy.md says how to name a
 * real one).
 */
describe('a dashboard', () => {
  it('of flavor A has a folder of the owner and the datasource, once, until it is unregistered', async () => {
    const { organization, identity, post } = await world.owner();
    const grafana = await openDashboard(world, 'flavora');
    for (let times = 0; times < 2; times += 1) {
      const { folderID } = ok<{ folderID: number }>(await post(register));
      expect(await grafana(`/api/folders/org-${organization.id}`)).toMatchObject({
        status: 200, json: { id: folderID, uid: `org-${organization.id}`, title: organization.username },
      });
      expect(await grafana(`/api/datasources/name/${identity}`)).toMatchObject({
        status: 200,
        json: { uid: datasourceUid(identity), name: identity, type: 'prometheus', url: `${publicUrl}/${identity}/` },
      });
    }
    expect((await post(unregister)).status).toBe(200);
    expect((await grafana(`/api/datasources/name/${identity}`)).status).toBe(404);
    expect((await post(unregister)).status).toBe(200);
  });

  it('of flavor B has a project of the owner and the datasource, once, until it is unregistered', async () => {
    const { organization, identity, post } = await world.owner();
    const perses = await openDashboard(world, 'flavorb');
    const at = `/api/v1/projects/${organization.username}`;
    for (let times = 0; times < 2; times += 1) {
      ok(await post(registerB));
      expect((await perses(`${at}/folders/default`)).status).toBe(200);
      expect(await perses(`${at}/datasources/${identity}`)).toMatchObject({
        status: 200, json: { metadata: { name: identity, project: organization.username } },
      });
    }
    expect((await post(unregisterB)).status).toBe(200);
    for (const kind of ['datasources', 'secrets']) expect((await perses(`${at}/${kind}/${identity}`)).status).toBe(404);
  });
});
