import { notFound } from '@platform/faults';
import type { Queryable } from '@platform/postgres';
import type { NamespaceReportServiceService } from '@platform/proto/billing/v1/namespace_report';
import type { Handler } from '@platform/rpc';
import type { Deadline } from '@platform/service';
import type { Parts } from '../parts.ts';
import {
  type BilledClient, type BilledCluster, clientKey, readBilledClients, readBilledClusters, readBilledIds,
} from './read-billed-objects.ts';
import { type ReportedNamespace, seconds, withAges } from './database-report.ts';
import { readDatabaseReports } from './database-reports.ts';
import { jsonPieces } from './envelope.ts';
import { rfc3339 } from './month.ts';
import { nowUs } from './month-view.ts';
import { readClusterUid } from './view-request.ts';

/** GET /dbaas/billing/reports/namespaces, for billing of client organizations (open-points 7.4). */
export function listNamespaceReports(
  { database }: Parts,
): Handler<typeof NamespaceReportServiceService.listNamespaceReports> {
  return (_, { account, deadline }) => jsonPieces(reportAll(database, account.id, deadline));
}

/** GET /dbaas/billing/reports/clusters/{clusterID}/namespaces/{namespaceName}. */
export function getNamespaceReport(
  { database }: Parts,
): Handler<typeof NamespaceReportServiceService.getNamespaceReport> {
  return (request, { account, deadline }) => jsonPieces(reportOne(database, account.id, request, deadline));
}

/** Yields the answer one namespace after the other, because all namespaces together might not fit into memory. */
export async function* reportAll(
  database: Queryable, ownerId: number, deadline: Deadline,
): AsyncGenerator<string, void, undefined> {
  const now = nowUs();
  let before = '{"namespaces":[';
  for await (const report of readReports(database, ownerId, now, deadline)) {
    yield before + report.text;
    before = ',';
  }
  yield `${before === ',' ? '' : before}],"generatedAt":${JSON.stringify(rfc3339(now))}}`;
}

/**
 * Yields the report of a namespace. If several namespaces of the cluster have this name, yields only the report of the
 * namespace that was created last.
 * @throws Fault NOT_FOUND; INVALID_PARAMETER if `clusterId` is not a UUID
 */
async function* reportOne(
  database: Queryable, ownerId: number,
  { clusterId, namespaceName }: { readonly clusterId: string; readonly namespaceName: string }, deadline: Deadline,
): AsyncGenerator<string, void, undefined> {
  const one = { clusterUid: readClusterUid(clusterId, 'clusterID'), namespace: namespaceName };
  let latest: NamespaceReport | undefined;
  for await (const report of readReports(database, ownerId, nowUs(), deadline, one)) {
    if (latest === undefined || report.createdAt > latest.createdAt) latest = report;
  }
  if (latest === undefined) throw notFound('there is no report of this namespace');
  yield latest.text;
}

/** The part of a namespace that has been read so far. */
interface Namespace {
  /** Time of the latest event of the databases, in microseconds since 1970. */
  latestAt: number;
  /** What the latest event states about the namespace. */
  latest: ReportedNamespace;
  /** The report on each database, as a JSON text. */
  readonly databases: string[];
}

/** Yields reports on namespaces, in the order of cluster UID and namespace name. */
async function* readReports(
  database: Queryable, ownerId: number, now: number, deadline: Deadline,
  one?: { readonly clusterUid: string; readonly namespace: string },
): AsyncGenerator<NamespaceReport, void, undefined> {
  const clusters = await readBilledClusters(database, ownerId, deadline, one?.clusterUid);
  const byUid = new Map(clusters.map((cluster) => [cluster.uid, cluster]));
  const clients = await readBilledClients(database, [...byUid.keys()], deadline);
  const reportOn = ({ latest, databases }: Namespace): NamespaceReport =>
    reportOf(byUid.get(latest.clusterUid)!, clients.get(clientKey(latest)), latest, databases);
  const ids = await readBilledIds(database, ownerId, [...byUid.keys()], deadline, one?.namespace);
  let namespace: Namespace | undefined;
  let said: ReportedNamespace | undefined;
  for await (const reports of oneAhead(readDatabaseReports(database, ids, deadline))) {
    for (const report of reports) {
      if (report.namespace !== '') said = JSON.parse(report.namespace) as ReportedNamespace;
      if (namespace === undefined || !isOfOneNamespace(namespace.latest, said!)) {
        if (namespace !== undefined) yield reportOn(namespace);
        namespace = { latestAt: report.lastAt, latest: said!, databases: [] };
      }
      if (report.lastAt > namespace.latestAt) Object.assign(namespace, { latestAt: report.lastAt, latest: said });
      namespace.databases.push(withAges(report.parts, seconds(now)));
    }
  }
  if (namespace !== undefined) yield reportOn(namespace);
}

function isOfOneNamespace(one: ReportedNamespace, other: ReportedNamespace): boolean {
  return one.clusterUid === other.clusterUid && one.name === other.name && one.uid === other.uid;
}

/** Reads the next part while the caller processes the current part. */
async function* oneAhead<Part>(parts: AsyncGenerator<Part, void, undefined>): AsyncGenerator<Part, void, undefined> {
  let next = parts.next();
  try {
    for (let part = await next; part.done !== true; part = await next) {
      next = parts.next();
      // Prevents an unhandled rejection. The loop throws a failure later, when it awaits the part.
      next.catch(() => undefined);
      yield part.value;
    }
  } finally {
    await next.catch(() => undefined);
    await parts.return(undefined);
  }
}

interface NamespaceReport {
  /** Seconds since 1970; 0 if unknown. */
  readonly createdAt: number;
  readonly text: string;
}

function reportOf(
  cluster: BilledCluster, client: BilledClient | undefined, namespace: ReportedNamespace, databases: readonly string[],
): NamespaceReport {
  const createdAt = Math.floor(Date.parse(namespace.namespaceCreatedAt) / 1000) || 0;
  const clusterInfo = {
    uid: cluster.uid, name: cluster.name, displayName: cluster.displayName, version: cluster.kubernetesVersion,
    provider: cluster.provider,
    capacity: { cpu: cluster.capacityCpu, memory: cluster.capacityMemory, nodes: cluster.nodeCount },
  };
  const namespaceInfo = {
    name: namespace.name, uid: namespace.uid,
    ...(namespace.clientOrgId === '' ? {} : { clientOrgID: namespace.clientOrgId, clientOrgName: client?.name ?? '' }),
    labels: {}, annotations: { ...client?.metadata, ...namespace.namespaceMetadata },
    creationTimestamp: createdAt,
  };
  return {
    createdAt,
    text: `{"clusterInfo":${JSON.stringify(clusterInfo)},"namespaceInfo":${JSON.stringify(namespaceInfo)},`
      + `"databases":[${databases.join(',')}]}`,
  };
}
