import { holdsBy, relationTable } from '@platform/relations';
import type { ReasonName } from '@platform/faults';
import { coversScope, type Deployment, isRegistered, relationsOfCheck, tokenScopes } from '@platform/surface';
import type { Case } from './cases.ts';

const people = ['nobody', 'bad token', 'outsider', 'viewer', 'owner', 'system admin', 'site admin'] as const;
/** A site admin, who has every relation, with a token of this single scope (open-points 18.2). */
export const onlyScope = (scope: string): `only ${string}` => `only ${scope}`;
export type CallerKind = (typeof people)[number] | ReturnType<typeof onlyScope>;

/** The kinds of callers: the owner is Alice, who owns acme, the viewer is in its team Viewers. */
export const callers: readonly CallerKind[] = [...people, ...tokenScopes.map(onlyScope)];

/**
 * The refusal that a method's access rule requires for a caller; undefined if the rule admits the caller. It is
 * computed from the rule and the table of relations, not by the code under test. @param bodyIsUnknown the body cannot
 * be read: any relation that some body would need is enough (open-points 1.5)
 */
export function refusalFor(
  deployment: Deployment, one: Case, caller: CallerKind, bodyIsUnknown: boolean,
): ReasonName | undefined {
  const { method: { access: { account, check, right, tokenScope, who }, rest }, actsFor, relations } = one;
  if (!isRegistered(rest.gate, deployment)) return 'NOT_FOUND';
  if (who === 'internal') return 'UNAUTHENTICATED';
  if (who === 'anonymous') return undefined;
  if (caller === 'bad token') return 'UNAUTHENTICATED';
  if (caller === 'nobody') return who === 'public' ? undefined : 'UNAUTHENTICATED';
  if (caller.startsWith('only ')) {
    const covers = tokenScope === undefined || coversScope([caller.slice('only '.length)], tokenScope);
    return covers ? undefined : 'MISSING_SCOPE';
  }
  if (caller === 'site admin') return undefined;
  // The account of an organization has no right of its own; the users of the suite have all rights on their own
  // accounts.
  if (caller === 'system admin' && right) return right.refusal;
  if (check?.type === 'site') return 'FORBIDDEN';
  if (!account || (who !== 'member' && !check && account.from === 'slug')) return undefined;
  // Callers need no relation to their own account. A system admin's own account is its organization.
  if (actsFor === 'own account' && caller !== 'system admin') return undefined;
  if (actsFor === 'user') return caller === 'owner' ? undefined : 'FORBIDDEN';
  if (caller === 'outsider') return account.from === 'object' ? account.stranger : 'NOT_ORG_MEMBER';
  if (!check) return undefined;
  const enough = bodyIsUnknown && check.instead.length > 0 ? relationsOfCheck(check) : relations;
  const asked = caller as 'viewer' | 'owner' | 'system admin';
  return enough.some((relation) => holds(check.type, relation, asked)) ? undefined : 'FORBIDDEN';
}

function holds(type: string, relation: string, caller: 'viewer' | 'owner' | 'system admin'): boolean {
  const row = relationTable.find((one) => one.type === type && one.relation === relation);
  if (!row) throw new Error(`the table of relations has no ${type}#${relation}`);
  if (caller === 'system admin') return row.systemAdmin;
  return holdsBy(row, caller) || (caller === 'viewer' && row.teamMembers);
}
