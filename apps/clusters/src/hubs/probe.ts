import { randomUUID } from 'node:crypto';
import { Fault } from '@platform/faults';
import type { JobContext } from '@platform/jobs';
import {
  type ClusterConnection, createObject, deleteObject, findObject, listObjects, type ManifestConfig, type ManifestWork,
  manifestWorks, withoutConflict,
} from '@platform/kubernetes';
import type { Database } from '@platform/postgres';
import { createLimiter, type Deadline, deadlineIn, pause, remaining } from '@platform/service';
import type { ClustersConfig } from '../config.ts';
import type { Hubs } from './hubs.ts';
import { readImportedHubs } from './store.ts';

export interface Sought {
  readonly apiVersion: string;
  readonly kind: string;
  /** Plural name of the kind in API paths, such as `namespaces`. */
  readonly resource: string;
  readonly name: string;
  readonly namespace?: string;
}

export function namespaceNamed(name: string): Sought {
  return { apiVersion: 'v1', kind: 'Namespace', resource: 'namespaces', name };
}

const pollMs = 100;
/** Label of ManifestWorks that only read objects of a spoke. */
const probeLabel = 'probe';
/** Annotation of ManifestWorks that only read: the time after which no call waits for the answer of the spoke. */
const expiresAt = 'expires-at';
const spareMs = 5_000;
/** Maximum number of hubs that one run of {@link removeProbes} examines at the same time. */
const atOnce = 8;

/**
 * Looks for objects on a spoke. Creates a read-only ManifestWork on the hub, and deletes the ManifestWork afterwards.
 * @returns the UIDs of the objects, in the order of `sought`; undefined for a missing object
 * @throws Fault DEADLINE_EXCEEDED when the spoke does not answer in time; the errors of calls to the hub
 */
export async function probeSpoke(
  hub: ClusterConnection, spoke: string, domain: string, sought: readonly Sought[], deadline: Deadline,
): Promise<(string | undefined)[]> {
  const work: ManifestWork = {
    metadata: {
      name: `probe-${randomUUID()}`, namespace: spoke,
      labels: { [`${domain}/${probeLabel}`]: 'true' },
      annotations: { [`${domain}/${expiresAt}`]: new Date(Date.now() + remaining(deadline) + spareMs).toISOString() },
    },
    spec: {
      workload: {
        manifests: sought.map(({ apiVersion, kind, name, namespace }) =>
          ({ apiVersion, kind, metadata: { name, ...(namespace === undefined ? {} : { namespace }) } })),
      },
      manifestConfigs: sought.map(readOnly),
    },
  };
  const created = await withoutConflict(() => createObject(hub, manifestWorks, work, deadline));
  try {
    for (;;) {
      const now = await findObject(hub, manifestWorks, created.metadata, deadline);
      const answer = now && answerOf(now, sought.length);
      if (answer !== undefined) return answer;
      if (remaining(deadline) < 2 * pollMs) {
        throw new Fault('DEADLINE_EXCEEDED', `the cluster ${spoke} did not answer through its hub`);
      }
      await pause(pollMs, deadline.signal);
    }
  } finally {
    // A failed deletion does not change the answer. `removeProbes` deletes the ManifestWork later.
    await deleteObject(hub, manifestWorks, created, deadlineIn(2_000)).catch(() => undefined);
  }
}

interface ProbeParts {
  readonly config: ClustersConfig;
  readonly database: Database;
  readonly hubs: Hubs;
}

/** Deletes expired ManifestWorks of {@link probeSpoke} from all hubs. The next run retries hubs that do not answer. */
export async function removeProbes(
  { config, database, hubs }: ProbeParts, { deadline, log }: JobContext,
): Promise<void> {
  const limiter = createLimiter(atOnce, 'a look at a hub');
  await Promise.all((await readImportedHubs(database, deadline)).map((key) => limiter.run(deadline, async () => {
    const hub = await hubs.connection(key, deadline);
    if (hub !== undefined) await removeExpiredProbes(hub, config.labelsDomain, deadline);
  }).catch((error: unknown) =>
    log.info({ hub: key.uid, error }, 'cannot remove expired probes (ManifestWorks) from a hub; retrying later'))));
}

async function removeExpiredProbes(hub: ClusterConnection, domain: string, deadline: Deadline): Promise<void> {
  const labelSelector = `${domain}/${probeLabel}=true`;
  for (const probe of await listObjects(hub, manifestWorks, deadline, { labelSelector })) {
    const expires = probe.metadata.annotations?.[`${domain}/${expiresAt}`];
    if (expires !== undefined && Date.parse(expires) >= Date.now()) continue;
    await deleteObject(hub, manifestWorks, probe, deadline);
  }
}

function readOnly({ apiVersion, resource, name, namespace }: Sought): ManifestConfig {
  const group = apiVersion.includes('/') ? apiVersion.split('/')[0]! : '';
  return {
    resourceIdentifier: { group, resource, name, ...(namespace === undefined ? {} : { namespace }) },
    updateStrategy: { type: 'ReadOnly' },
    feedbackRules: [{ type: 'JSONPaths', jsonPaths: [{ name: 'uid', path: '.metadata.uid' }] }],
  };
}

/**
 * The UIDs of the objects, in their order; an entry is undefined for a missing object. Returns undefined while the
 * spoke has not reported all of the objects.
 */
function answerOf({ status }: ManifestWork, count: number): (string | undefined)[] | undefined {
  const reported = new Map(status?.resourceStatus?.manifests?.map((item) => [item.resourceMeta.ordinal, item]));
  const uids: (string | undefined)[] = [];
  for (let ordinal = 0; ordinal < count; ordinal += 1) {
    const item = reported.get(ordinal);
    const available = item?.conditions?.find(({ type }) => type === 'Available')?.status;
    if (available !== 'True' && available !== 'False') return undefined;
    const uid = item!.statusFeedback?.values?.find(({ name }) => name === 'uid')?.fieldValue.string;
    if (available === 'True' && uid === undefined) return undefined;
    uids.push(available === 'True' ? uid : undefined);
  }
  return uids;
}
