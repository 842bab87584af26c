import type { Caller } from '@platform/proto/orgs/v1/identity';
import { coversScope, wholeScope } from '@platform/surface';
import { Fault, unavailable } from '@platform/faults';

/**
 * Refuses a token that was made for less (open-points 18.2). No scopes are no permission: an older orgs-teams does not
 * know them.
 * @throws Fault MISSING_SCOPE
 */
export function refuseWithoutScope({ scopes }: Caller, needed: string): void {
  if (scopes.length === 0) throw unavailable('the scopes of the token');
  if (!coversScope(scopes, needed)) throw missingScope(needed);
}

/**
 * Refuses a token with less than everything: what it asks for can do more, or longer, than the token itself.
 * @throws Fault MISSING_SCOPE
 */
export function refuseNarrowToken(caller: Caller): void {
  refuseWithoutScope(caller, wholeScope);
}

/** The refusal of a token that was made for less. @param why for people, what else would do */
export function missingScope(needed: string, why = ''): Fault {
  const message = `this needs a token with the scope ${needed}${why === '' ? '' : `: ${why}`}`;
  return new Fault('MISSING_SCOPE', message, { metadata: { scope: needed } });
}
