import type { AccountContext } from '@platform/rpc';

/** A call that names an account, or acts for the caller's own account. */
type Acting = Pick<AccountContext, 'account'>;

/** Returns the required owner of the contract that a call names, or undefined if every owner is accepted. */
export type RequiredOwner = (call: Acting) => number | undefined;

/** For users: the acting account. */
export const actingOwner = ({ account }: Acting): number => account.id;

/** For site admins: the named account; undefined without one, or for the administrative organization. */
export const namedOwner: RequiredOwner = (call) => (call.account.named ? listedOwner(call) : undefined);

/**
 * Returns the account whose contracts are listed for a site admin (open-points 5.1). Returns undefined, for all
 * contracts, if the request names the administrative organization.
 */
export function listedOwner({ account }: Acting): number | undefined {
  const standsForAll = account.kind === 'organization' && account.named && account.standing.administrative;
  return standsForAll ? undefined : account.id;
}
