import { AccountKind, type GetStandingRequest, IdentityServiceService } from '@platform/proto/orgs/v1/identity';
import { connect, type OutgoingContext, type PeerOptions } from '@platform/rpc';

export interface OwnerAccount { readonly id: number; readonly name: string; readonly kind: 'user' | 'organization' }

/** Reads accounts from the service orgs-teams, because a local copy of the accounts could be out of date. */
export interface Accounts extends AsyncDisposable {
  /** Returns the user or organization with this name, ignoring case, or undefined. */
  byName(name: string, context: OutgoingContext): Promise<OwnerAccount | undefined>;
  /** Returns the users and organizations with these ids, by id. Omits an id that belongs to neither. */
  byId(ids: readonly number[], context: OutgoingContext): Promise<ReadonlyMap<number, OwnerAccount>>;
}

export function openAccounts(peers: PeerOptions, addresses: readonly string[]): Accounts {
  const identity = connect(IdentityServiceService, { ...peers, name: 'orgs-teams', addresses });
  const ask = async (asked: Pick<GetStandingRequest, 'slugs' | 'organizationIds'>, context: OutgoingContext) => {
    const { organizations } = await identity.getStanding({ token: '', ...asked }, context);
    return organizations.flatMap(({ id, slug: name, kind }): OwnerAccount[] => {
      if (kind === AccountKind.ACCOUNT_KIND_ORGANIZATION) return [{ id, name, kind: 'organization' }];
      return kind === AccountKind.ACCOUNT_KIND_PERSON ? [{ id, name, kind: 'user' }] : [];
    });
  };
  return {
    byName: async (name, context) => {
      const found = await ask({ slugs: [name], organizationIds: [] }, context);
      return found.find((account) => account.name.toLowerCase() === name.toLowerCase());
    },
    byId: async (ids, context) => {
      if (ids.length === 0) return new Map();
      const found = await ask({ slugs: [], organizationIds: [...ids] }, context);
      return new Map(found.map((account) => [account.id, account]));
    },
    [Symbol.asyncDispose]: () => identity[Symbol.asyncDispose](),
  };
}
