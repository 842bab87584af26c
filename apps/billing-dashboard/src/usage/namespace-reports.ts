import type { Database } from '@platform/postgres';
import { NamespaceReportServiceService } from '@platform/proto/billing/v1/namespace_report';
import { implement, type Implementation, notFound } from '@platform/rpc';
import type { Deadline } from '@platform/service';
import type { Parts } from '../parts.ts';
import { type BilledObject, readBilledObjects } from '../store/read-billed-objects.ts';
import { jsonAnswer } from './envelope.ts';
import { rfc3339 } from './month.ts';
import { nowUs } from './month-view.ts';
import { databaseReport } from './database-report.ts';
import { readClusterUid } from './view-request.ts';

/** The reports of spec §4.5 for billing of client organizations (open-points 7.4). */
export function namespaceReportService({ database }: Parts): Implementation {
  return implement(NamespaceReportServiceService, {
    listNamespaceReports: (_, { account, deadline }) => jsonAnswer(reportAll(database, account.id, deadline)),
    getNamespaceReport: (request, { account, deadline }) =>
      jsonAnswer(reportOne(database, account.id, request, deadline)),
  });
}

async function reportAll(database: Database, ownerId: number, deadline: Deadline): Promise<object> {
  const now = nowUs();
  const objects = await readBilledObjects(database, ownerId, deadline);
  return { namespaces: reportsOf(objects, now), generatedAt: rfc3339(now) };
}

/** One namespace; of several that had the name one after the other, the latest. @throws Fault NOT_FOUND */
async function reportOne(
  database: Database, ownerId: number,
  { clusterId, namespaceName }: { readonly clusterId: string; readonly namespaceName: string }, deadline: Deadline,
): Promise<object> {
  const clusterUid = readClusterUid(clusterId);
  const objects = await readBilledObjects(database, ownerId, deadline, { clusterUid, namespace: namespaceName });
  const report = reportsOf(objects, nowUs()).toSorted((one, other) =>
    other.namespaceInfo.creationTimestamp - one.namespaceInfo.creationTimestamp)[0];
  if (report === undefined) throw notFound('no such namespace is reported');
  return report;
}

/** In the order of cluster, namespace. */
function reportsOf(objects: readonly BilledObject[], now: number) {
  const namespaces = Map.groupBy(objects, ({ clusterUid, namespace, namespaceUid }) =>
    JSON.stringify([clusterUid, namespace, namespaceUid]));
  return [...namespaces].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, own]) => {
    const latest = own.reduce((last, object) => (object.lastAt > last.lastAt ? object : last));
    const { detail } = latest.versions.at(-1)!;
    return {
      clusterInfo: {
        uid: latest.clusterUid, name: latest.clusterName, displayName: latest.clusterDisplayName,
        version: latest.kubernetesVersion, provider: latest.provider,
        capacity: { cpu: latest.capacityCpu, memory: latest.capacityMemory, nodes: latest.nodeCount },
      },
      namespaceInfo: {
        name: latest.namespace, uid: latest.namespaceUid,
        ...(detail.clientOrgId === '' ? {} : {
          clientOrgID: detail.clientOrgId, clientOrgName: latest.clientOrgName,
        }),
        labels: {}, annotations: { ...latest.clientMetadata, ...detail.namespaceMetadata },
        creationTimestamp: Math.floor(Date.parse(detail.namespaceCreatedAt) / 1000) || 0,
      },
      databases: own.toSorted((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1))
        .map((object) => databaseReport(object, now)),
    };
  });
}

function orderOf({ objectUid, product }: BilledObject): string {
  return `${objectUid} ${product}`;
}
