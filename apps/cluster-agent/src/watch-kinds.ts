import {
  type ClusterConnection, findResource, type KubernetesObject, type ObjectWatch, type Resource, watchObjects,
} from '@platform/kubernetes';
import { deadlineIn, loop, type OpenService } from '@platform/service';
import type { Inventory } from './inventory/inventory.ts';
import type { Shelf } from './inventory/shelf.ts';
import { type Kept, readClaim, readKept, readNamespace, readPod, readWorkload } from './inventory/read-objects.ts';
import { type KindName, resourceKey, supportKinds, textOf } from './kinds.ts';
import { siteInfos } from './site-info/site-info.ts';
import type { Store } from './store/store.ts';

export interface WatchedKinds {
  /** Whether each watched kind was listed, or is not served. If this is false, the inventory may lack objects. */
  isComplete(): boolean;
  /** Returns the reported kinds whose watch has heard from the API server within the last `milliseconds`. */
  heardWithin(milliseconds: number): readonly Resource[];
}

const findMs = 10_000;
/** Interval at which the agent checks whether the cluster now serves a missing kind, in milliseconds. */
const missingMs = 60_000;

/** Watches the reported kinds and the kinds related to them, until the agent stops. */
export function watchKinds({ service: { stack, log }, cluster, inventory, store, kinds, domain, changed }: {
  service: OpenService; cluster: ClusterConnection; inventory: Inventory; store: Store;
  kinds: readonly KindName[]; domain: string; changed: () => void;
}): WatchedKinds {
  const watches = stack.use(new AsyncDisposableStack());
  const unlisted = new Set<string>();
  const reported = new Map<Resource, ObjectWatch>();

  function follow<Item extends Kept>(
    kind: KindName, shelf: Shelf<Item>, read: (kind: Resource, object: KubernetesObject) => Item, isReported = false,
  ): void {
    const name = textOf(kind);
    unlisted.add(name);
    let isFound = false;
    const listed = (): void => {
      if (unlisted.delete(name) && unlisted.size === 0) {
        store.transact(() => store.forgetOthers([...reported.keys(), siteInfos].map(resourceKey)));
      }
      changed();
    };
    stack.use(loop(`find ${name}`, missingMs, async (stopping) => {
      if (isFound) return;
      const resource = await findResource(cluster, kind, deadlineIn(findMs, stopping));
      if (resource === undefined) {
        log.warn({ kind: name }, 'the cluster does not serve this kind');
        return listed();
      }
      isFound = true;
      const watch = watches.use(watchObjects(cluster, resource, {
        keep: (object) => read(resource, object),
        listed: (objects) => {
          shelf.fill(objects);
          // Mark all objects that were reported before: some may have been deleted while the agent did not watch.
          if (isReported) for (const uid of store.known(resourceKey(resource))) inventory.mark(uid);
          listed();
        },
        changed: (object) => {
          shelf.put(object);
          changed();
        },
        deleted: (object) => {
          shelf.remove(object);
          changed();
        },
      }, log));
      if (isReported) reported.set(resource, watch);
    }, log));
  }

  follow(supportKinds.namespaces, inventory.namespaces, (_, object) => readNamespace(domain, object));
  follow(supportKinds.claims, inventory.claims, (_, object) => readClaim(object));
  follow(supportKinds.pods, inventory.pods, (_, object) => readPod(object));
  follow(supportKinds.replicaSets, inventory.replicaSets, (_, object) => readKept(object));
  for (const kind of kinds) follow(kind, inventory.workloads(), readWorkload, true);

  return {
    isComplete: () => unlisted.size === 0,
    heardWithin: (milliseconds) =>
      [...reported].filter(([, watch]) => watch.silentFor() < milliseconds).map(([resource]) => resource),
  };
}
