import type { Method } from '@platform/surface';

/** Internal services and methods that do not change what callers may do. */
const reading: ReadonlySet<string> = new Set([
  'controlplane.orgs.v1.IdentityService', 'controlplane.status.v1.StatusService',
  'controlplane.leases.v1.LeaseService', 'controlplane.facts.v1.FactService',
  'controlplane.owners.v1.OwnerService.ResolveOwners', 'controlplane.clusters.v1.ClusterOwnerService.FindClusters',
]);

/**
 * Whether a call may change rows of which other processes keep copies (leases.md L4, L7). A repeatable GET
 * (`controlplane.repeatable`) changes no such rows.
 */
export function mayChange(
  { http, repeatable, service, fullName }: Pick<Method, 'http' | 'repeatable' | 'service' | 'fullName'>,
): boolean {
  if (http !== undefined) return http.verb !== 'GET' || !repeatable;
  return !reading.has(service) && !reading.has(fullName);
}
