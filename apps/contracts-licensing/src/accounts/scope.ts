import type { Account } from '@platform/rpc';

/** A call that names an account, or acts for the caller's own account. */
interface Acting {
  readonly account: Account;
}

/** The required owner of the contract that a call names; undefined for any owner. */
export type RequiredOwner = (call: Acting) => number | undefined;

/** For users: the acting account. */
export const actingOwner = ({ account }: Acting): number => account.id;

/** For site admins: the named account; any owner if no account is named. */
export const namedOwner: RequiredOwner = (call) => (call.account.named ? listedOwner(call) : undefined);

/**
 * The account whose contracts a site admin lists (open-points 5.1): the named account, otherwise the site admin's own
 * account. Undefined if the administrative organization is named: then all contracts are listed.
 */
export function listedOwner({ account }: Acting): number | undefined {
  return isAdministrative(account) ? undefined : account.id;
}

function isAdministrative(account: Account): boolean {
  return account.kind === 'organization' && account.named && account.standing.administrative;
}
