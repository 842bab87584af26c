import type { HistoricalEvent } from '@platform/proto/billing/v1/event_admin';
import { eventSubject } from '@platform/bus';
import type { Derive } from './derive.ts';

const dayMs = 86_400_000;
const productName = 'productdb-enterprise';
const kinds = ['Postgres', 'MySQL', 'MongoDB', 'Redis'] as const;
const cpus = ['250m', '500m', '1', '2', '4'] as const;
const memories = ['512Mi', '1Gi', '2Gi', '8Gi'] as const;
const modes = ['prod', 'dev', 'staging', ''] as const;
const namespaces = ['demo', 'shop', 'reports'] as const;

interface ObjectsOfCluster {
  readonly ownerId: number;
  readonly clusterUid: string;
  readonly objects: number;
  readonly months: number;
  readonly shards: number;
}

/**
 * Returns the history of the objects in a cluster. The history covers `months` of 30 days. It ends at 00:00 UTC of the
 * day of `now`, so repeated calls on one UTC day return the same history. Each object is created in this period, and
 * may change its size. About a third of the objects are deleted at the end.
 */
export function objectHistory(
  derive: Derive, { ownerId, clusterUid, objects, months, shards }: ObjectsOfCluster, now: Date,
): HistoricalEvent[] {
  const end = Math.floor(now.getTime() / dayMs) * dayMs;
  const days = months * 30;
  const subject = eventSubject({ ownerId, clusterUid, productName }, shards);
  return Array.from({ length: objects }).flatMap((_, place) => {
    const uid = derive.uuid(`${clusterUid}/object/${place}`);
    const begin = derive.integer(`${uid}/begin`, days);
    const sizes = 1 + derive.integer(`${uid}/sizes`, Math.max(1, Math.ceil((days - begin) / 10)));
    const starts = [...new Set([begin, ...Array.from({ length: sizes - 1 }, (__, size) =>
      begin + derive.integer(`${uid}/size/${size}`, days - begin))])].toSorted((one, other) => one - other);
    const isDeleted = derive.integer(`${uid}/deleted`, 3) === 0;
    const time = (day: number): string => new Date(end - (days - day) * dayMs).toISOString();
    const say = (generation: number, action: string, day: number): string =>
      JSON.stringify(eventOf(derive, uid, generation, action, time(day)));
    const events = starts.map((start, generation) => ({
      subject,
      event: say(generation + 1, generation === 0 ? 'created' : 'updated', start),
      repeatedUntil: time(starts[generation + 1] ?? days),
    }));
    const last = { subject, event: say(starts.length + 1, 'deleted', days), repeatedUntil: '' };
    return isDeleted ? [...events, last] : events;
  });
}

function eventOf(derive: Derive, uid: string, generation: number, action: string, time: string) {
  const kind = derive.pick(`${uid}/kind`, kinds);
  const namespace = derive.pick(`${uid}/namespace`, namespaces);
  const name = `${kind.toLowerCase()}-${uid.slice(0, 8)}`;
  const resourceID = {
    group: 'core.k8s.platform.dev', version: 'v1alpha1', name: 'genericresources', kind: 'GenericResource',
    scope: 'Namespaced',
  };
  return {
    specversion: '1.0',
    id: `${uid}.${generation}`,
    source: `/platform.dev/auditor/seed/feature/${productName}/${resourceID.group}/${resourceID.name}`,
    subject: uid,
    type: `dev.platform.resource.${action}.v1`,
    time,
    data: {
      licenseID: 'seed',
      resourceID,
      resource: {
        apiVersion: `${resourceID.group}/${resourceID.version}`,
        kind: resourceID.kind,
        metadata: { name, namespace, uid, generation },
        spec: {
          apiType: { group: 'kubedb.com', version: 'v1', name: `${kind.toLowerCase()}s`, kind, scope: 'Namespaced' },
          name, uid, replicas: 3, mode: derive.pick(`${uid}/mode`, modes),
          namespace: { name: namespace, uid: derive.uuid(`${uid}/${namespace}`) },
          totalResource: { limits: {
            cpu: derive.pick(`${uid}/cpu/${generation}`, cpus),
            memory: derive.pick(`${uid}/memory/${generation}`, memories),
          } },
        },
      },
    },
  };
}
