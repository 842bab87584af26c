import type { Flavor } from './dashboards/dashboard.ts';

/** The owner, the cluster and the project to which metrics belong (open-points 9). */
export interface Identity {
  /** Id of an account that has the cluster in the registry, for example of a client organization. */
  readonly ownerId: number;
  /** UUID in lower case. */
  readonly clusterUid: string;
  /** Empty for the whole cluster. */
  readonly projectId: string;
}

const uid = '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}';
const project = '[A-Za-z0-9][A-Za-z0-9-]{0,62}';
const form = new RegExp(String.raw`^([1-9][0-9]{0,15})\.(${uid})(?:\.(${project}))?$`);
const projectForm = new RegExp(`^${project}$`);

export function isProjectId(text: string): boolean {
  return projectForm.test(text);
}

/**
 * The text of an identity: `{ownerID}.{clusterUID}` or `{ownerID}.{clusterUID}.{projectId}`. Existing agents compute
 * the same text.
 */
export function identityText({ ownerId, clusterUid, projectId }: Identity): string {
  return `${ownerId}.${clusterUid}${projectId === '' ? '' : `.${projectId}`}`;
}

/** Parses an identity. The case of the UUID is ignored. Returns undefined if the text is not an identity. */
export function parseIdentity(text: string): Identity | undefined {
  const [owner, cluster, ...rest] = text.split('.');
  const found = form.exec([owner, cluster?.toLowerCase(), ...rest].join('.'));
  if (!found) return undefined;
  const ownerId = Number(found[1]);
  return Number.isSafeInteger(ownerId) ? { ownerId, clusterUid: found[2]!, projectId: found[3] ?? '' } : undefined;
}

export function tenantOf(tenantPrefix: string, ownerId: number): string {
  return `${tenantPrefix}${ownerId}`;
}

/**
 * Returns the scope of tokens for the metrics of one {@link Identity}. `controlplane.access.scope` of the method
 * `authorize` has the same form.
 */
export function scopeOf(identity: string): string {
  return `metricsproxy/${identity}`;
}

/**
 * Returns the slots (see `PutScopedToken`) of the two tokens of a backend. The datasource in the dashboard uses the
 * token in the slot `datasource`. A registration with `issueToken` returns the token in the slot `issued`.
 */
export function slotsOf(flavor: Flavor): { readonly datasource: string; readonly issued: string } {
  return { datasource: `${flavor}/datasource`, issued: `${flavor}/issued` };
}
