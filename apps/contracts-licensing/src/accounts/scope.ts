import type { Account } from '@platform/rpc';

/** Calls that name an account, or act for the caller's own. */
interface Acting {
  readonly account: Account;
}

/** Whose contracts a site admin lists: of the account named, else of the own; undefined for all (open-points 5.1). */
export function listedOwner({ account }: Acting): number | undefined {
  return isAdministrative(account) ? undefined : account.id;
}

/** Which owner a contract must have that a site admin names by its id: any, unless an account is named. */
export function namedOwner({ account }: Acting): number | undefined {
  return account.named ? listedOwner({ account }) : undefined;
}

function isAdministrative(account: Account): boolean {
  return account.kind === 'organization' && account.named && account.standing.administrative;
}
