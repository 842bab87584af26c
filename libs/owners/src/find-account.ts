import {
  AccountKind, type GetStandingRequest, IdentityServiceService, type Standing,
} from '@platform/proto/orgs/v1/identity';
import { connect, type OutgoingContext, type PeerOptions } from '@platform/rpc';

/** An account that can own objects. */
export interface OwnerAccount {
  readonly id: number;
  readonly name: string;
  readonly kind: 'user' | 'organization';
}

/** Accounts as orgs-teams knows them at this moment; a projection could be behind. */
export interface Accounts extends AsyncDisposable {
  /** The account of this name, ignoring case; undefined when no user or organization has it. */
  byName(name: string, context: OutgoingContext): Promise<OwnerAccount | undefined>;
  /** The accounts of these ids, by id; ids without one are left out. */
  byId(ids: readonly number[], context: OutgoingContext): Promise<ReadonlyMap<number, OwnerAccount>>;
}

/** Opens the way to ask orgs-teams for accounts. */
export function openAccounts(peers: PeerOptions, addresses: readonly string[]): Accounts {
  const identity = connect(IdentityServiceService, { ...peers, name: 'orgs-teams', addresses });
  const ask = async (asked: Pick<GetStandingRequest, 'slugs' | 'organizationIds'>, context: OutgoingContext) =>
    ownersIn(await identity.getStanding({ token: '', ...asked }, context));
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

function ownersIn({ organizations }: Standing): OwnerAccount[] {
  return organizations.flatMap(({ id, slug: name, kind }): OwnerAccount[] => {
    if (kind === AccountKind.ACCOUNT_KIND_ORGANIZATION) return [{ id, name, kind: 'organization' }];
    return kind === AccountKind.ACCOUNT_KIND_PERSON ? [{ id, name, kind: 'user' }] : [];
  });
}
