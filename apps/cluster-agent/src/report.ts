import { setImmediate } from 'node:timers/promises';
import type { Member } from '@platform/bus';
import {
  type ClusterAccess, type ClusterConnection, readServingCertificate, type Resource,
} from '@platform/kubernetes';
import { deadlineIn, loop, type OpenService, pause } from '@platform/service';
import { eventContent } from './events/cloud-event.ts';
import { genericResource } from './events/generic-resource.ts';
import type { Inventory } from './inventory/inventory.ts';
import { resourceKey } from './kinds.ts';
import type { Licence } from './licence/licence.ts';
import { readSiteInfo, siteInfos } from './site-info/site-info.ts';
import type { Store } from './store/store.ts';
import type { WatchedKinds } from './watch-kinds.ts';

/** Delay before a change is reported, in milliseconds. Several changes of an object in this time become one event. */
const gatherMs = 100;
const lookMs = 5_000;
/** Interval at which unchanged objects are reported again, in milliseconds (open-points 13.2). */
const repeatMs = 3_600_000;
/**
 * If the watch of a kind was silent for this number of milliseconds, unchanged objects of the kind are not reported
 * again.
 */
const mostSilentMs = 300_000;
/** Maximum number of objects reported in one transaction. */
const atOnce = 500;
/**
 * Interval at which the SiteInfo is read, in milliseconds. The SiteInfo is reported if it has changed, or if its last
 * report is an hour old.
 */
const siteMs = 600_000;
const siteReadMs = 30_000;

interface ReportParts {
  readonly service: OpenService;
  readonly access: ClusterAccess;
  readonly cluster: ClusterConnection;
  readonly store: Store;
  readonly inventory: Inventory;
  readonly watched: WatchedKinds;
  readonly member: Member;
  readonly ownerName: string;
  readonly domain: string;
  licence(): Licence;
  /** Called when events may have been added to the queue. */
  said(): void;
}

/** Reports changed objects, and repeats the reports of unchanged objects, until the agent stops. */
export interface Reporting {
  changed(): void;
  /** Switches to the current licence. Reports the SiteInfo under it at once, and other objects at their next change. */
  renewed(): void;
}

export function openReporting(parts: ReportParts): Reporting {
  const { service: { log, stack }, store, inventory, watched, member, domain } = parts;
  const mode = () => inventory.namespace('kube-system')?.annotations[`${domain}/cluster-mode`];
  const contentOf = (resource: Resource, object: object) => (licenceId: string) =>
    eventContent({ domain, productName: member.productName, licenceId }, resource, object);

  store.useLicence(parts.licence().id);

  function say(uid: string, now: Date): void {
    const described = inventory.describe(uid);
    if (described === undefined) return store.sayGone(uid, now);
    const { resource, generation } = described.workload;
    const object = genericResource(described, { uid: member.clusterUid, mode: mode(), domain });
    return store.say({ uid, resource, generation, content: contentOf(resource, object) }, now);
  }

  async function sayMarked(): Promise<void> {
    for (let uids = inventory.takeMarked(atOnce); uids.length > 0; uids = inventory.takeMarked(atOnce)) {
      const now = new Date();
      try {
        store.transact(() => uids.forEach((uid) => say(uid, now)));
      } catch (error) {
        uids.forEach((uid) => inventory.mark(uid));
        throw error;
      }
      parts.said();
      await setImmediate();
    }
  }

  async function repeatAll(resource: Resource): Promise<void> {
    const now = new Date();
    const before = new Date(now.getTime() - repeatMs);
    for (let count = atOnce; count === atOnce;) {
      store.transact(() => {
        count = store.repeat(resourceKey(resource), before, now, atOnce);
      });
      if (count > 0) parts.said();
      await setImmediate();
    }
  }

  const reporting = stack.use(loop('report', lookMs, async (stopping) => {
    await pause(gatherMs, stopping);
    if (!watched.isComplete()) return;
    await sayMarked();
    for (const resource of watched.heardWithin(mostSilentMs)) await repeatAll(resource);
    store.transact(() => store.queue.dropStale(new Date()));
  }, log));

  const site = stack.use(loop('site info', siteMs, async (stopping) => {
    const deadline = deadlineIn(siteReadMs, stopping);
    const { id: licenceId } = parts.licence();
    const certificate = await readServingCertificate(parts.access, deadline);
    const reporter = { ...member, licenceId, ownerName: parts.ownerName, mode: mode() };
    const info = await readSiteInfo(parts.cluster, certificate, reporter, deadline);
    const now = new Date();
    store.transact(() => {
      const content = contentOf(siteInfos, info);
      store.say({ uid: member.clusterUid, resource: siteInfos, generation: undefined, content }, now);
      store.repeat(resourceKey(siteInfos), new Date(now.getTime() - repeatMs), now, 1);
    });
    parts.said();
  }, log));

  return {
    changed: () => reporting.wake(),
    renewed: () => {
      store.useLicence(parts.licence().id);
      site.wake();
    },
  };
}
