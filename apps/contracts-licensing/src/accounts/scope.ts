import type { Account } from '@platform/rpc';

/** Calls that name an account, or act for the caller's own account. */
interface Acting {
  readonly account: Account;
}

/**
 * The account whose contracts a site admin lists: the account named, or else their own; undefined for all (open-points
 * 5.1).
 */
export function listedOwner({ account }: Acting): number | undefined {
  return isAdministrative(account) ? undefined : account.id;
}

/** The owner that a contract must have when a site admin names it by id: any, unless an account is named. */
export function namedOwner({ account }: Acting): number | undefined {
  return account.named ? listedOwner({ account }) : undefined;
}

function isAdministrative(account: Account): boolean {
  return account.kind === 'organization' && account.named && account.standing.administrative;
}
