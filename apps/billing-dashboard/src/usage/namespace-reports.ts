import { notFound } from '@platform/faults';
import type { Queryable } from '@platform/postgres';
import type { NamespaceReportServiceService } from '@platform/proto/billing/v1/namespace_report';
import type { Handler } from '@platform/rpc';
import type { Deadline } from '@platform/service';
import type { Parts } from '../parts.ts';
import {
  type BilledCluster, type BilledObject, readBilledClusters, readBilledObjects,
} from './read-billed-objects.ts';
import { readDetailedVersions } from './read-versions.ts';
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

/** The text of the answer, one namespace after the other: together they may be more than the memory holds. */
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

/** One namespace; of several that had the name one after the other, the latest. @throws Fault NOT_FOUND */
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

/** A namespace with the databases that are read so far. */
interface Namespace {
  /** Its latest event says how the namespace is. */
  latest: DatabaseReport;
  readonly databases: object[];
}

/** In the order of cluster, namespace. */
async function* readReports(
  database: Queryable, ownerId: number, now: number, deadline: Deadline,
  one?: { readonly clusterUid: string; readonly namespace: string },
): AsyncGenerator<NamespaceReport, void, undefined> {
  for (const cluster of await readBilledClusters(database, ownerId, deadline, one?.clusterUid)) {
    let namespace: Namespace | undefined;
    for await (const objects of readBilledObjects(database, ownerId, cluster.uid, deadline, one?.namespace)) {
      for await (const report of readDatabases(database, objects, now, deadline)) {
        const { object } = report;
        if (namespace === undefined || !isOfOneNamespace(namespace.latest.object, object)) {
          if (namespace !== undefined) yield reportOf(cluster, namespace);
          namespace = { latest: report, databases: [] };
        }
        if (report.lastAt > namespace.latest.lastAt) namespace.latest = report;
        namespace.databases.push(report.shown);
      }
    }
    if (namespace !== undefined) yield reportOf(cluster, namespace);
  }
}

function isOfOneNamespace(one: BilledObject, other: BilledObject): boolean {
  return one.namespace === other.namespace && one.namespaceUid === other.namespaceUid;
}

/** Reports of databases, in the order of their objects. */
async function* readDatabases(
  database: Queryable, objects: readonly BilledObject[], now: number, deadline: Deadline,
): AsyncGenerator<DatabaseReport, void, undefined> {
  const byId = new Map(objects.map((object) => [object.id, object]));
  let started: ReturnType<typeof startDatabaseReport> | undefined;
  for await (const version of readDetailedVersions(database, [...byId.keys()], { deadline })) {
    if (started?.id !== version.meteredId) {
      if (started !== undefined) yield started.finish();
      started = startDatabaseReport(byId.get(version.meteredId)!, now);
    }
    started.add(version);
  }
  if (started !== undefined) yield started.finish();
}

function reportOf(cluster: BilledCluster, { latest: { object, namespace }, databases }: Namespace) {
  return {
    clusterInfo: {
      uid: cluster.uid, name: cluster.name, displayName: cluster.displayName, version: cluster.kubernetesVersion,
      provider: cluster.provider,
      capacity: { cpu: cluster.capacityCpu, memory: cluster.capacityMemory, nodes: cluster.nodeCount },
    },
    namespaceInfo: {
      name: object.namespace, uid: object.namespaceUid,
      ...(namespace.clientOrgId === '' ? {} : {
        clientOrgID: namespace.clientOrgId, clientOrgName: object.clientOrgName,
      }),
      labels: {}, annotations: { ...object.clientMetadata, ...namespace.namespaceMetadata },
      creationTimestamp: Math.floor(Date.parse(namespace.namespaceCreatedAt) / 1000) || 0,
    },
    databases,
  };
}
