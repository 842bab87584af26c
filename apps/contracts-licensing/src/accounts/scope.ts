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
 * The account whose contracts a site admin lists (open-points 5.1): the named account, otherwise the site admin's own
 * account. Undefined if the administrative organization is named: then all contracts are listed.
 */
export function listedOwner({ account }: Acting): number | undefined {
  const standsForAll = account.kind === 'organization' && account.named && account.standing.administrative;
  return standsForAll ? undefined : account.id;
}
