import type { Claim, Kept, Namespace, Pod, Workload } from './read-objects.ts';
import { shelf, type Shelf, type ShelfRules } from './shelf.ts';

export interface Described {
  readonly workload: Workload;
  /** The pods that have not ended. Pods and claims are sorted by name. */
  readonly pods: readonly Pod[];
  readonly claims: readonly Claim[];
  readonly namespace: Namespace | undefined;
}

/** The workloads of a cluster, with their pods, claims and namespaces. Marks workloads that may have changed. */
export interface Inventory {
  readonly replicaSets: Shelf<Kept>;
  readonly pods: Shelf<Pod>;
  readonly claims: Shelf<Claim>;
  readonly namespaces: Shelf<Namespace>;
  workloads(): Shelf<Workload>;
  /** Marks the object with this UID, even if the object does not exist. */
  mark(uid: string): void;
  /** Returns the UIDs of up to `most` marked objects, and removes the marks of these objects. */
  takeMarked(most: number): readonly string[];
  /**
   * Describes a workload. Returns undefined if the workload does not exist, or another reported object controls it
   * directly or indirectly.
   */
  describe(uid: string): Described | undefined;
  namespace(name: string): Namespace | undefined;
}

export function createInventory(): Inventory {
  const workloads = new Map<string, Workload>();
  const byNamespace = new Map<string, Set<string>>();
  /** UID of the controller of each workload and replica set. */
  const controllers = new Map<string, string | undefined>();
  /** UIDs of workloads, replica sets and pods, by the UID of their controller. */
  const controlled = new Map<string, Set<string>>();
  const pods = new Map<string, Pod>();
  const claims = new Map<string, Claim>();
  /** The keys of persistent volume claims that end with an ordinal, grouped by the key without the ordinal. */
  const numbered = new Map<string, Set<string>>();
  const namespaces = new Map<string, Namespace>();
  const marked = new Set<string>();

  /** Walks from an object up through its controllers. Yields the UIDs of the reported objects on the way. */
  function* reportedFrom(uid: string | undefined): Generator<string> {
    const passed = new Set<string>();
    for (let current = uid; current !== undefined && !passed.has(current); current = controllers.get(current)) {
      passed.add(current);
      if (workloads.has(current)) yield current;
    }
  }

  function markUp(uid: string | undefined): void {
    for (const reported of reportedFrom(uid)) marked.add(reported);
  }

  function markBelow(uid: string): void {
    for (const below of controlled.get(uid) ?? []) if (workloads.has(below)) marked.add(below);
  }

  function markNamespace(name: string): void {
    for (const uid of byNamespace.get(name) ?? []) marked.add(uid);
  }

  const podShelf = shelf<Pod>({
    put: (pod) => {
      const before = pods.get(pod.uid);
      removeFrom(controlled, before?.controller, pod.uid);
      if (!isSame(before, pod)) {
        markUp(before?.controller);
        markUp(pod.controller);
      }
      pods.set(pod.uid, pod);
      addTo(controlled, pod.controller, pod.uid);
    },
    remove: (pod) => {
      pods.delete(pod.uid);
      removeFrom(controlled, pod.controller, pod.uid);
      markUp(pod.controller);
    },
  });

  const replicaSets = shelf<Kept>({
    put: (set) => {
      const before = controllers.get(set.uid);
      if (before !== set.controller) markUp(before);
      removeFrom(controlled, before, set.uid);
      controllers.set(set.uid, set.controller);
      addTo(controlled, set.controller, set.uid);
      markUp(set.uid);
    },
    remove: (set) => {
      markUp(set.uid);
      controllers.delete(set.uid);
      removeFrom(controlled, set.controller, set.uid);
    },
  });

  const claimShelf = shelf<Claim>({
    put: (claim) => {
      const key = `${claim.namespace}/${claim.name}`;
      if (!isSame(claims.get(key), claim)) markNamespace(claim.namespace);
      claims.set(key, claim);
      addTo(numbered, withoutOrdinal(key), key);
    },
    remove: (claim) => {
      const key = `${claim.namespace}/${claim.name}`;
      claims.delete(key);
      removeFrom(numbered, withoutOrdinal(key), key);
      markNamespace(claim.namespace);
    },
  });

  const namespaceShelf = shelf<Namespace>({
    put: (namespace) => {
      if (!isSame(namespaces.get(namespace.name), namespace)) {
        // Every event contains the mode of the cluster, which is an annotation of the namespace `kube-system`.
        if (namespace.name === 'kube-system') for (const uid of workloads.keys()) marked.add(uid);
        markNamespace(namespace.name);
      }
      namespaces.set(namespace.name, namespace);
    },
    remove: ({ name }) => void namespaces.delete(name),
  });

  const workloadRules: ShelfRules<Workload> = {
    put: (workload) => {
      const { uid } = workload;
      const before = workloads.get(uid);
      removeFrom(controlled, before?.controller, uid);
      workloads.set(uid, workload);
      controllers.set(uid, workload.controller);
      addTo(controlled, workload.controller, uid);
      addTo(byNamespace, workload.namespace, uid);
      if (!isSame(before, workload)) markUp(uid);
      // Mark the objects that this workload controls, because they must no longer be reported separately.
      if (before === undefined) markBelow(uid);
    },
    remove: ({ uid, controller, namespace }) => {
      markUp(uid);
      markBelow(uid);
      workloads.delete(uid);
      controllers.delete(uid);
      removeFrom(controlled, controller, uid);
      removeFrom(byNamespace, namespace, uid);
    },
  };

  function* collect(uid: string, passed: Set<string>): Generator<Pod> {
    if (passed.has(uid)) return;
    passed.add(uid);
    for (const below of controlled.get(uid) ?? []) {
      const pod = pods.get(below);
      if (pod === undefined) yield* collect(below, passed);
      else if (!pod.ended) yield pod;
    }
  }

  function isControlled({ uid, controller }: Workload): boolean {
    return reportedFrom(controller).some((other) => other !== uid);
  }

  function claimsOf({ namespace, name, claimNames, claimTemplates }: Workload, own: readonly Pod[]): Claim[] {
    const named = [...claimNames, ...own.flatMap((pod) => pod.claimNames)];
    const keys = new Set(named.map((claim) => `${namespace}/${claim}`));
    // A StatefulSet may keep the claims of removed replicas. Its claims are named `{template}-{set}-{ordinal}`.
    for (const template of claimTemplates) {
      for (const key of numbered.get(`${namespace}/${template.name}-${name}`) ?? []) keys.add(key);
    }
    return [...keys].flatMap((key) => claims.get(key) ?? []).sort(byName);
  }

  return {
    replicaSets, pods: podShelf, claims: claimShelf, namespaces: namespaceShelf,
    workloads: () => shelf(workloadRules),
    mark: (uid) => void marked.add(uid),
    takeMarked: (most) => {
      const taken = [...marked.values().take(most)];
      for (const uid of taken) marked.delete(uid);
      return taken;
    },
    describe: (uid) => {
      const workload = workloads.get(uid);
      if (workload === undefined || isControlled(workload)) return undefined;
      const own = [...collect(uid, new Set())].sort(byName);
      return { workload, pods: own, claims: claimsOf(workload, own), namespace: namespaces.get(workload.namespace) };
    },
    namespace: (name) => namespaces.get(name),
  };
}

/** Returns the key of a claim without the ordinal at its end; undefined if the key does not end with an ordinal. */
function withoutOrdinal(key: string): string | undefined {
  return /^(.+)-\d+$/.exec(key)?.[1];
}

function isSame(one: object | undefined, other: object): boolean {
  return one !== undefined && JSON.stringify(one) === JSON.stringify(other);
}

function byName(one: Kept, other: Kept): number {
  return one.name < other.name ? -1 : 1;
}

function addTo(sets: Map<string, Set<string>>, key: string | undefined, value: string): void {
  if (key === undefined) return;
  const set = sets.get(key) ?? new Set<string>();
  sets.set(key, set.add(value));
}

function removeFrom(sets: Map<string, Set<string>>, key: string | undefined, value: string): void {
  if (key === undefined) return;
  const set = sets.get(key);
  set?.delete(value);
  if (set?.size === 0) sets.delete(key);
}
