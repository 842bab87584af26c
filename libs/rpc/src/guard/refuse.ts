import type { Caller } from '@platform/proto/orgs/v1/identity';
import type { AccessRule, AccountRight } from '@platform/surface';
import { Fault, tokenRequired, unavailable } from '@platform/faults';
import type { Account, IncomingCall } from '../call-context.ts';
import { isPlausibleToken } from '../credential.ts';
import type { FoundObject, GuardSources } from './guard-sources.ts';
import { belongsTo, findObject } from './resolve.ts';

/**
 * Refuses a text that does not have the form of a token. Also refuses a call without a token, unless the method is
 * public (step 2 of open-points 1.5).
 */
export function refuseBadToken(access: AccessRule, token: string | undefined): void {
  if (token === undefined) {
    if (access.who !== 'public') throw tokenRequired();
  } else if (!isPlausibleToken(token)) {
    throw new Fault('UNAUTHENTICATED', 'invalid token');
  }
}

/**
 * Refuses a caller without the right or the membership that the method needs. Site admins are never refused. Only site
 * admins pass a check on the site (step 5 of open-points 1.5).
 */
export function refuseStrangers(access: AccessRule, caller: Caller | undefined, account: Account | undefined): void {
  if (caller?.isAdmin) return;
  const { check } = access;
  if (access.right) refuseWithoutRight(access.right, caller);
  if (check?.type === 'site') throw new Fault('FORBIDDEN', 'only a site admin may do this');
  if (!account || (access.who !== 'member' && !check) || belongsTo(account, caller)) return;
  if (account.kind === 'user') throw new Fault('FORBIDDEN', `only ${account.name} and site admins may do this`);
  throw new Fault('NOT_ORG_MEMBER', `only members of ${account.name} may do this`);
}

/** Refuses a caller without the right. If an older orgs-teams does not send `right`, refuses with UNAVAILABLE. */
function refuseWithoutRight({ refusal, name }: AccountRight, caller: Caller | undefined): void {
  if (caller?.right === undefined) throw unavailable(`the right ${name}`);
  if (!caller.right.held) throw new Fault(refusal, caller.right.whyNot);
}

/**
 * Returns the object that the access rule checks. Undefined if the rule checks no object, or if the account has no such
 * object. So an object of another account looks like a missing object (open-points 1.5).
 */
export async function checkedObject(
  sources: GuardSources, { check }: AccessRule, request: Readonly<Record<string, unknown>>,
  account: Account | undefined, call: IncomingCall,
): Promise<FoundObject | undefined> {
  if (!check?.object) return undefined;
  const object = await findObject(sources, check.object, request, account, call);
  return object?.ownerId === account?.id ? object : undefined;
}

export function refuseMissing({ check }: Pick<AccessRule, 'check'>): never {
  if (!check?.object) throw new Error('the access rule of this method does not check an object');
  throw new Fault(check.missing, `${check.type} not found`);
}
