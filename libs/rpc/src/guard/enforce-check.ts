import type { Caller } from '@platform/proto/orgs/v1/identity';
import { type AccessRule, type Check, relationsOfCheck } from '@platform/surface';
import { Fault } from '@platform/faults';
import type { Account, IncomingCall, OrganizationAccount } from '../call-context.ts';
import { classOfObject } from './class-of-object.ts';
import type { GuardMetrics } from './guard-metrics.ts';
import type { FoundObject } from './guard-sources.ts';
import type { RelationsHeld } from './relations-held.ts';

interface Decision {
  readonly access: AccessRule;
  readonly request: Readonly<Record<string, unknown>>;
  readonly call: IncomingCall;
  readonly caller: Caller | undefined;
  readonly object: FoundObject | undefined;
}

/**
 * Refuses a caller without the relation that the access rule needs (step 5 of open-points 1.5). Site admins need no
 * relation. Users need none for their own account, or if `orSelf` allows the action. Returns the account with the
 * principals on which the decision is based. These principals are read again if rows change during the decision.
 * @throws Fault FORBIDDEN, UNAVAILABLE
 */
export async function enforceCheck(
  held: RelationsHeld, counts: GuardMetrics, { access: { check }, request, call, caller, object }: Decision,
  account: Account | undefined,
): Promise<Account | undefined> {
  if (!check || caller?.isAdmin || account?.kind !== 'organization') return account;
  const classOf = classOfObject(check.type, object, account.standing.administrative)!;
  const { relations, orSelf } = neededFor(check, request, call.bodyFault !== undefined);
  const asking = { ...call, callerId: caller?.id ?? 0 };
  const decision = await held.holdsAny(account.standing, classOf, relations, asking);
  if (!decision.held && !(orSelf !== undefined && caller && request[orSelf] === caller.id)) {
    const relation = relations.join(' or ');
    counts.refused(relations[0]!, check.type);
    const about = { relation, object: `${check.type}:${object?.id ?? account.id}`, callerId: caller?.id };
    call.log?.info(about, 'refused: the caller lacks the relation');
    const metadata = { relation, objectType: check.type };
    throw new Fault('FORBIDDEN', `this needs the permission ${relation} on the ${check.type}`, { metadata });
  }
  return { ...account, standing: decision.standing } satisfies OrganizationAccount;
}

/**
 * Returns the relations of which the caller must hold one. Returns several only for a call with a `bodyFault`. The
 * caller needs none of them if the request field that `orSelf` names contains the caller's own id.
 */
function neededFor(
  check: Check, request: Readonly<Record<string, unknown>>, bodyIsUnknown: boolean,
): { relations: readonly string[]; orSelf: string | undefined } {
  if (check.actionField !== undefined) {
    const { relation, orSelf } = check.actions.get(String(request[check.actionField]))!;
    return { relations: [relation], orSelf };
  }
  if (bodyIsUnknown) return { relations: relationsOfCheck(check), orSelf: undefined };
  const instead = check.instead.find(({ given }) => given.some((path) => isGiven(request, path)));
  return { relations: [instead?.relation ?? check.relation!], orSelf: undefined };
}

function isGiven(request: Readonly<Record<string, unknown>>, path: string): boolean {
  const value = path.split('.')
    .reduce<unknown>((from, field) => (from as typeof request | undefined)?.[field], request);
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== '' && value !== 0;
}
