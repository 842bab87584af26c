import type { Method } from '@platform/surface';

/** Of methods without a route, those that are called for almost each request, or that change no rows. */
const readsByName = /^(?:Get|List|Check|Resolve|Settle)/;

/** Whether a call of this method may change rows on which kept answers rest (leases.md L4, L7). */
export function mayChange({ http, name }: Pick<Method, 'http' | 'name'>): boolean {
  return http === undefined ? !readsByName.test(name) : http.verb !== 'GET';
}
