import type { AccountContext } from '@platform/rpc';

/** The part of a call that says for which account the call acts. */
type Acting = Pick<AccountContext, 'account'>;

/** Returns the id of the account that must own the contract of a call, or undefined if any owner is accepted. */
export type RequiredOwner = (call: Acting) => number | undefined;

/** Returns the required owner for operations of users: the acting account. */
export const actingOwner = ({ account }: Acting): number => account.id;

/**
 * Returns the required owner for operations of site admins: the account that the request names. Any owner is accepted
 * if the request names no account, or names the administrative organization.
 */
export const namedOwner: RequiredOwner = (call) => (call.account.named ? listedOwner(call) : undefined);

/**
 * Returns the id of the account whose contracts a site admin lists (open-points 5.1). Returns undefined, for all
 * contracts, if the request names the administrative organization.
 */
export function listedOwner({ account }: Acting): number | undefined {
  const standsForAll = account.kind === 'organization' && account.named && account.standing.administrative;
  return standsForAll ? undefined : account.id;
}
