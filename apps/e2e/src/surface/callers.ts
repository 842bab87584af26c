import { holdsBy, relationTable } from '@platform/relations';
import type { ReasonName } from '@platform/rpc';
import type { Action, Check, Method } from '@platform/surface';

/** The kinds of callers of the suite, in one public organization whose team Viewers is the object of team checks. */
export const callers = ['nobody', 'bad token', 'outsider', 'viewer', 'owner', 'system admin', 'site admin'] as const;
export type CallerKind = (typeof callers)[number];

/** One way to call a method: for a method of several actions, each of them is one. */
export interface Case {
  readonly method: Method;
  readonly action: string | undefined;
  readonly name: string;
}

export function casesOf(method: Method): Case[] {
  const actions = [...(method.access.check?.actions.keys() ?? [])];
  if (actions.length === 0) return [{ method, action: undefined, name: method.fullName }];
  return actions.map((action) => ({ method, action, name: `${method.fullName} (${action})` }));
}

/**
 * The refusal that the access rule of a method yields for a caller, undefined when it lets him in. Worked out from the
 * rule and the table of relations alone, not from the code under test.
 */
export function refusalFor({ method, action }: Case, caller: CallerKind): ReasonName | undefined {
  const { access } = method;
  if (access.who === 'internal') return 'UNAUTHENTICATED';
  if (access.who === 'anonymous') return undefined;
  if (caller === 'bad token') return 'UNAUTHENTICATED';
  if (caller === 'nobody') return access.who === 'public' ? undefined : 'UNAUTHENTICATED';
  if (caller === 'site admin') return undefined;
  // The account of an organization has no right of its own; the people of the suite have every one.
  if (caller === 'system admin' && access.right) return access.right.refusal;
  if (access.check?.type === 'site') return 'FORBIDDEN';
  if (!access.account) return undefined;
  if (caller === 'outsider') {
    if (access.account.from === 'object') return 'NOT_FOUND';
    return access.who === 'member' || access.check ? 'NOT_ORG_MEMBER' : undefined;
  }
  if (!access.check) return undefined;
  return holds(access.check, action, caller) ? undefined : 'FORBIDDEN';
}

function holds(check: Check, action: string | undefined, caller: 'viewer' | 'owner' | 'system admin'): boolean {
  const needed: Action | undefined = action === undefined ? undefined : check.actions.get(action);
  const relation = needed?.relation ?? check.relation;
  const row = relationTable.find((one) => one.type === check.type && one.relation === relation);
  if (!row) throw new Error(`the table of relations has no ${check.type}#${relation}`);
  if (caller === 'system admin') return row.systemAdmin;
  return holdsBy(row, caller) || (caller === 'viewer' && row.teamMembers);
}
