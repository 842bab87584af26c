import type { Flavor } from './dashboards/dashboard.ts';

/** The owner, the cluster and the project to which metrics belong (open-points 9). */
export interface Identity {
  /** Id of the account that owns the cluster, or of a client organization that has the cluster. */
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

/** The scope of tokens that are bound to an identity (`controlplane.access.scope` of the method `authorize`). */
export function scopeOf(identity: string): string {
  return `metricsproxy/${identity}`;
}

/**
 * The slots of an identity's tokens for one flavor. A slot is the name of a token in `PutScopedToken`. The datasource
 * uses the token `datasource`. A registration with `issueToken` returns the token `issued`.
 */
export function slotsOf(flavor: Flavor): { readonly datasource: string; readonly issued: string } {
  return { datasource: `${flavor}/datasource`, issued: `${flavor}/issued` };
}
