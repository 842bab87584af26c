import type { Resource } from '@platform/kubernetes';

/** Identifies a kind of Kubernetes object. Discovery returns the plural name of the kind, such as `deployments`. */
export type KindName = Pick<Resource, 'group' | 'version' | 'kind'>;

const usualKinds: readonly KindName[] =
  ['Deployment', 'StatefulSet', 'DaemonSet'].map((kind) => ({ group: 'apps', version: 'v1', kind }));

/** The kinds that are watched to find the pods, claims and namespaces of reported objects. */
export const supportKinds = {
  replicaSets: { group: 'apps', version: 'v1', kind: 'ReplicaSet' },
  pods: { group: '', version: 'v1', kind: 'Pod' },
  claims: { group: '', version: 'v1', kind: 'PersistentVolumeClaim' },
  namespaces: { group: '', version: 'v1', kind: 'Namespace' },
} as const satisfies Readonly<Record<string, KindName>>;

/**
 * The kinds that the agent reports: the usual kinds, and the kinds of the setting `agent.resources`.
 * @param names `GROUP/VERSION/KIND`, such as `kubedb.com/v1/Postgres`; the core group is `core`
 * @throws RangeError for an invalid kind, and for a kind of {@link supportKinds}
 */
export function reportedKinds(names: readonly string[]): readonly KindName[] {
  const all = [...usualKinds, ...names.map(parseKind)];
  return all.filter((kind, place) => all.findIndex((other) => textOf(other) === textOf(kind)) === place);
}

function parseKind(name: string): KindName {
  const found = /^([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)\/(v[a-z0-9]+)\/([A-Z][A-Za-z0-9]*)$/.exec(name);
  if (found === null) throw new RangeError(`${name} is not of the form GROUP/VERSION/KIND, such as apps/v1/Deployment`);
  const [, group, version, kind] = found as unknown as [string, string, string, string];
  const parsed = { group: group === 'core' ? '' : group, version, kind };
  const isSupport = Object.values(supportKinds).some((one) => one.group === parsed.group && one.kind === kind);
  if (isSupport) throw new RangeError(`${name} cannot be reported: it is used only to describe other objects`);
  return parsed;
}

export function textOf({ group, version, kind }: KindName): string {
  return `${group === '' ? 'core' : group}/${version}/${kind}`;
}

/** Returns `{group}/{resource}`, the beginning of the key of an object (open-points 8.3). The core group is `core`. */
export function resourceKey({ group, name }: Pick<Resource, 'group' | 'name'>): string {
  return `${group === '' ? 'core' : group}/${name}`;
}
