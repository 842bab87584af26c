import type { Account } from '@platform/rpc';

/** A call that names an account, or acts for the caller's own account. */
interface Acting {
  readonly account: Account;
}

/**
 * The account whose contracts a site admin lists (open-points 5.1): the named account, otherwise the site admin's own
 * account. Undefined if the administrative organization is named: then all contracts are listed.
 */
export function listedOwner({ account }: Acting): number | undefined {
  return isAdministrative(account) ? undefined : account.id;
}

/**
 * The required owner of a contract that a site admin names by id: the named account. Undefined, for any owner, if no
 * account is named.
 */
export function namedOwner({ account }: Acting): number | undefined {
  return account.named ? listedOwner({ account }) : undefined;
}

function isAdministrative(account: Account): boolean {
  return account.kind === 'organization' && account.named && account.standing.administrative;
}
