import { notFound } from '@platform/faults';
import type { Queryable } from '@platform/postgres';
import type { NamespaceReportServiceService } from '@platform/proto/billing/v1/namespace_report';
import type { Handler } from '@platform/rpc';
import type { Deadline } from '@platform/service';
import type { Parts } from '../parts.ts';
import {
  type BilledClient, type BilledCluster, type BilledObject, clientKey, readBilledClients, readBilledClusters,
  readBilledObjects,
} from './read-billed-objects.ts';
import { type DetailedVersion, readDetailedVersions } from './read-versions.ts';
import { type DatabaseReport, startDatabaseReport } from './database-report.ts';
import { jsonAnswer, jsonPieces } from './envelope.ts';
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
  return (request, { account, deadline }) => jsonAnswer(reportOne(database, account.id, request, deadline));
}

/** The text of the answer, one namespace after the other: all of them might not fit into memory. */
export async function* reportAll(
  database: Queryable, ownerId: number, deadline: Deadline,
): AsyncGenerator<string, void, undefined> {
  const now = nowUs();
  let before = '{"namespaces":[';
  for await (const report of readReports(database, ownerId, now, deadline)) {
    yield before + JSON.stringify(report);
    before = ',';
  }
  yield `${before === ',' ? '' : before}],"generatedAt":${JSON.stringify(rfc3339(now))}}`;
}

/** One namespace. If several namespaces had the name, the latest one. @throws Fault NOT_FOUND */
async function reportOne(
  database: Queryable, ownerId: number,
  { clusterId, namespaceName }: { readonly clusterId: string; readonly namespaceName: string }, deadline: Deadline,
): Promise<object> {
  const one = { clusterUid: readClusterUid(clusterId, 'clusterID'), namespace: namespaceName };
  let latest: NamespaceReport | undefined;
  for await (const report of readReports(database, ownerId, nowUs(), deadline, one)) {
    const { creationTimestamp } = report.namespaceInfo;
    if (latest === undefined || creationTimestamp > latest.namespaceInfo.creationTimestamp) latest = report;
  }
  if (latest === undefined) throw notFound('no such namespace is reported');
  return latest;
}

type NamespaceReport = ReturnType<typeof reportOf>;

/** A namespace with the databases read so far. */
interface Namespace {
  /** The database whose latest event defines the namespace. */
  latest: DatabaseReport;
  readonly databases: object[];
}

/** Yields namespaces in the order of cluster and name. */
async function* readReports(
  database: Queryable, ownerId: number, now: number, deadline: Deadline,
  one?: { readonly clusterUid: string; readonly namespace: string },
): AsyncGenerator<NamespaceReport, void, undefined> {
  const clusters = await readBilledClusters(database, ownerId, deadline, one?.clusterUid);
  const byUid = new Map(clusters.map((cluster) => [cluster.uid, cluster]));
  const clients = await readBilledClients(database, [...byUid.keys()], deadline);
  const reportOn = (namespace: Namespace): NamespaceReport => {
    const { object } = namespace.latest;
    return reportOf(byUid.get(object.clusterUid)!, clients.get(clientKey(object)), namespace);
  };
  let namespace: Namespace | undefined;
  const parts = readParts(database, ownerId, [...byUid.keys()], deadline, one?.namespace);
  for await (const reports of readDatabases(oneAhead(parts), now)) {
    for (const report of reports) {
      if (namespace === undefined || !isOfOneNamespace(namespace.latest.object, report.object)) {
        if (namespace !== undefined) yield reportOn(namespace);
        namespace = { latest: report, databases: [] };
      }
      if (report.lastAt > namespace.latest.lastAt) namespace.latest = report;
      namespace.databases.push(report.shown);
    }
  }
  if (namespace !== undefined) yield reportOn(namespace);
}

function isOfOneNamespace(one: BilledObject, other: BilledObject): boolean {
  return one.clusterUid === other.clusterUid && one.namespace === other.namespace
    && one.namespaceUid === other.namespaceUid;
}

/** Versions, with their objects by id. */
interface Part {
  readonly objects: ReadonlyMap<number, BilledObject>;
  readonly versions: readonly DetailedVersion[];
}

/** Yields parts in the order of cluster, namespace, object, time. */
async function* readParts(
  database: Queryable, ownerId: number, clusterUids: readonly string[], deadline: Deadline, namespace?: string,
): AsyncGenerator<Part, void, undefined> {
  for await (const all of readBilledObjects(database, ownerId, clusterUids, deadline, namespace)) {
    const objects = new Map(all.map((object) => [object.id, object]));
    for await (const versions of readDetailedVersions(database, [...objects.keys()], { deadline })) {
      yield { objects, versions };
    }
  }
}

/** Reads the next part while the current one is processed. */
async function* oneAhead<Part>(parts: AsyncGenerator<Part, void, undefined>): AsyncGenerator<Part, void, undefined> {
  let next = parts.next();
  try {
    for (let part = await next; part.done !== true; part = await next) {
      next = parts.next();
      // The failure is thrown when the part is awaited.
      next.catch(() => undefined);
      yield part.value;
    }
  } finally {
    await next.catch(() => undefined);
    await parts.return(undefined);
  }
}

/** Yields reports of databases in the order of their objects, some at a time. */
async function* readDatabases(
  parts: AsyncIterable<Part>, now: number,
): AsyncGenerator<readonly DatabaseReport[], void, undefined> {
  let started: ReturnType<typeof startDatabaseReport> | undefined;
  for await (const { objects, versions } of parts) {
    const reports: DatabaseReport[] = [];
    for (const version of versions) {
      if (started?.id !== version.meteredId) {
        if (started !== undefined) reports.push(started.finish());
        started = startDatabaseReport(objects.get(version.meteredId)!, now);
      }
      started.add(version);
    }
    yield reports;
  }
  if (started !== undefined) yield [started.finish()];
}

function reportOf(
  cluster: BilledCluster, client: BilledClient | undefined, { latest: { object, namespace }, databases }: Namespace,
) {
  return {
    clusterInfo: {
      uid: cluster.uid, name: cluster.name, displayName: cluster.displayName, version: cluster.kubernetesVersion,
      provider: cluster.provider,
      capacity: { cpu: cluster.capacityCpu, memory: cluster.capacityMemory, nodes: cluster.nodeCount },
    },
    namespaceInfo: {
      name: object.namespace, uid: object.namespaceUid,
      ...(namespace.clientOrgId === '' ? {} : {
        clientOrgID: namespace.clientOrgId, clientOrgName: client?.name ?? '',
      }),
      labels: {}, annotations: { ...client?.metadata, ...namespace.namespaceMetadata },
      creationTimestamp: Math.floor(Date.parse(namespace.namespaceCreatedAt) / 1000) || 0,
    },
    databases,
  };
}
