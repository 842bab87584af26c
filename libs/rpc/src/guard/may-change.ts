import type { Method } from '@platform/surface';

/** Internal services that do not change what callers may do. */
const reading: ReadonlySet<string> = new Set([
  'controlplane.orgs.v1.IdentityService', 'controlplane.status.v1.StatusService',
]);

/**
 * Whether a call may change rows of which other processes keep copies (leases.md L4, L7). A repeatable GET
 * (`controlplane.repeatable`) changes no such rows.
 */
export function mayChange({ http, repeatable, service }: Pick<Method, 'http' | 'repeatable' | 'service'>): boolean {
  return http === undefined ? !reading.has(service) : http.verb !== 'GET' || !repeatable;
}
