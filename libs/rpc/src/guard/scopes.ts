import type { Caller } from '@platform/proto/orgs/v1/identity';
import { coversScope, wholeScope } from '@platform/surface';
import { Fault, unavailable } from '@platform/faults';

/**
 * Refuses a token without the needed scope (open-points 18.2). An older orgs-teams sends an empty list of scopes.
 * @throws Fault MISSING_SCOPE; UNAVAILABLE if the list is empty
 */
export function refuseWithoutScope({ scopes }: Caller, needed: string): void {
  if (scopes.length === 0) throw unavailable('the scopes of the token');
  if (!coversScope(scopes, needed)) throw missingScope(needed);
}

/**
 * Requires the scope `all`. Use this for calls whose result may have more rights or a longer life than the token.
 * @throws Fault MISSING_SCOPE, UNAVAILABLE
 */
export function refuseNarrowToken(caller: Caller): void {
  refuseWithoutScope(caller, wholeScope);
}

/** Returns the refusal of a token with insufficient scopes. @param why an explanation for the message */
export function missingScope(needed: string, why = ''): Fault {
  const message = `the request needs a token with the scope ${needed}${why === '' ? '' : `: ${why}`}`;
  return new Fault('MISSING_SCOPE', message, { metadata: { scope: needed } });
}
