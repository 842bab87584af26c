import { randomUUID } from 'node:crypto';
import { ClusterAdminServiceService } from '@platform/proto/clusters/v1/cluster';
import { ClusterOwnerServiceService } from '@platform/proto/clusters/v1/owners';
import { connect, type Database, sql } from '@platform/postgres';
import { http, type HttpAnswer, type HttpClient, rpcClient } from '@platform/testing';
import { ok } from '../contracts/contract-world.ts';
import { specCall } from '../operator.ts';
import type { PlatformOptions } from '../platform.ts';
import { type Organization, type Person, startWorld, type World } from '../orgs/world.ts';
import { fakeGrafana, type FakeGrafana } from './fake-grafana.ts';
import { fakePerses, type FakePerses } from './fake-perses.ts';

export interface TestCluster {
  readonly id: number;
  readonly uid: string;
  readonly name: string;
  readonly ownerId: number;
}

export interface ClusterOwner {
  readonly boss: Person;
  readonly organization: Organization;
  readonly cluster: TestCluster;
  /** `{ownerID}.{clusterUID}`. */
  readonly identity: string;
  /** Posts a body about the cluster with {@link backend}, as the owner. */
  post(path: string, more?: object): Promise<HttpAnswer>;
  /** Registers the cluster with flavor A. Returns the token that is issued. */
  issueToken(more?: object): Promise<string>;
}

/** A running platform with both dashboards, and helpers for clusters. */
export interface MetricsWorld extends World {
  readonly grafana: FakeGrafana;
  readonly perses: FakePerses;
  /** The database of metricsproxy. */
  readonly rows: Database;
  /** The data path through each gateway; it is not in the OpenAPI document. */
  readonly queries: readonly [HttpClient, ...HttpClient[]];
  /** Revokes all tokens of an account. */
  revokeTokens(accountId: number): Promise<void>;
  cluster(ownerId: number, uid?: string): Promise<TestCluster>;
  removeCluster(cluster: TestCluster): Promise<void>;
  moveCluster(cluster: TestCluster, ownerId: number): Promise<void>;
  owner(): Promise<ClusterOwner>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Credentials of the platform: the token of a service account, and a login. */
const usualCredentials = { grafana: 'grafana-service-account-token', perses: 'platform:perses-password' };
export const publicUrl = 'https://platform.example.org/metrics-proxy';

export async function startMetricsWorld(
  options: PlatformOptions & { readonly credentials?: typeof usualCredentials } = {},
): Promise<MetricsWorld> {
  const { credentials = usualCredentials } = options;
  const [grafana, perses] = [await fakeGrafana(credentials.grafana), await fakePerses(credentials.perses)];
  const world = await startWorld({
    hosts: ['orgs-teams', 'authz', 'clusters', 'metricsproxy'],
    ...options,
    settings: {
      // The service clusters calls this address before it removes a cluster over REST.
      'services.contractsLicensing': '127.0.0.1:9',
      'flavora.url': grafana.url, 'flavora.credential': credentials.grafana,
      'flavora.publicURL': 'https://a.example.org', 'flavorb.url': perses.url, 'flavorb.credential': credentials.perses,
      'metricsproxy.publicURL': publicUrl, 'metricsproxy.allowedCIDRs': '127.0.0.0/8',
      'metricsproxy.deniedCIDRs': '10.9.0.0/16', ...options.settings,
    },
  });
  const { platform } = world;
  const clusters = await rpcClient(ClusterOwnerServiceService, platform.services.clusters, platform);
  const registry = await rpcClient(ClusterAdminServiceService, platform.services.clusters, platform);
  const { url, schema } = platform.databases.metricsproxy;
  const rows = connect({ url, schema, applicationName: 'spec', maxConnections: 3 });

  async function cluster(ownerId: number, uid: string = randomUUID()): Promise<TestCluster> {
    const given = { uid, ownerId, name: `cluster-${randomUUID().slice(0, 8)}`, displayName: '' };
    return (await clusters.putClusters({ clusters: [given] }, specCall())).clusters[0]!;
  }

  return {
    ...world, grafana, perses, rows, cluster,
    queries: world.platform.gateways.map(({ baseUrl }) => http(baseUrl)) as unknown as MetricsWorld['queries'],
    revokeTokens: async (accountId) => {
      const tokens = await world.database.query(sql<{ id: number }>`
        select id from access_token where account_id = ${accountId}`);
      for (const { id } of tokens) await world.operator.admin.revokeToken({ id }, specCall());
    },
    removeCluster: async ({ ownerId, name }) => {
      const { owner } = await world.database.one(sql<{ owner: string }>`select name as owner from account where id = ${ownerId}`);
      await registry.removeCluster({ owner, name, force: true }, specCall());
    },
    moveCluster: async ({ id }, ownerId) => void (await clusters.moveCluster({ id, ownerId }, specCall())),
    owner: async () => {
      const boss = await world.person();
      const organization = await world.organization(boss);
      const own = await cluster(organization.id);
      const post = (path: string, more?: object) =>
        boss.http.post(path, { json: { backend, clusterUID: own.uid, ...more } });
      return {
        boss, organization, cluster: own, identity: `${organization.id}.${own.uid}`, post,
        issueToken: async (more) =>
          ok<Registered>(await post(register, { issueToken: true, ...more })).flavora.bearerToken,
      };
    },
    [Symbol.asyncDispose]: async () => {
      for (const one of [rows, clusters, world, grafana, perses]) await one[Symbol.asyncDispose]();
    },
  };
}

/** The answer to a registration with flavor A that issues a token. */
export interface Registered { readonly datasource: string; readonly flavora: { readonly bearerToken: string } }

export const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
export const queryOf = (identity: string, path = 'api/v1/query?query=up') => `/metrics-proxy/${identity}/${path}`;
export { ok };

export const register = '/api/v1/metricsproxy/register';
export const unregister = '/api/v1/metricsproxy/unregister';
export const registerB = '/api/v1/metricsproxy/flavorb/register';
export const unregisterB = '/api/v1/metricsproxy/flavorb/unregister';
export const backend = { url: 'http://127.0.0.1:9/' };
