import { AccountKind, type GetStandingRequest, type Standing } from '@platform/proto/orgs/v1/identity';
import { type Queryable, sql } from '@platform/postgres';
import type { CallContext, OutgoingContext } from '@platform/rpc';

/** An account that can own contracts. */
export interface OwnerAccount {
  readonly id: number;
  readonly slug: string;
  readonly kind: 'user' | 'organization';
}

/** What is asked for; both must mean the same account where both are given. */
export interface AskedAccount {
  readonly id?: number | undefined;
  readonly slug?: string | undefined;
}

/** Finds an account by id or slug; undefined when there is none, or when id and slug are of different ones. */
export type FindAccount = (asked: AskedAccount, context: CallContext) => Promise<OwnerAccount | undefined>;

/** The part of orgs-teams' client that is used. */
interface IdentityClient {
  getStanding(request: GetStandingRequest, context: OutgoingContext): Promise<Standing>;
}

/** Asks orgs-teams, because an account made a moment ago may not be in the projection yet. */
export function createFindAccount(identity: IdentityClient): FindAccount {
  return async ({ id, slug }, context) => {
    const { organizations } = await identity.getStanding(
      {
        token: context.token ?? '',
        slugs: slug === undefined ? [] : [slug],
        organizationIds: id === undefined ? [] : [id],
      },
      context,
    );
    const [account, other] = organizations;
    if (account === undefined || other !== undefined && other.id !== account.id) return undefined;
    const expected = organizations.every((one) => id === undefined || one.id === id)
      && (slug === undefined || account.slug.toLowerCase() === slug.toLowerCase());
    if (!expected || account.kind === AccountKind.ACCOUNT_KIND_SYSTEM_ADMIN) return undefined;
    const kind = account.kind === AccountKind.ACCOUNT_KIND_PERSON ? 'user' : 'organization';
    return { id: account.id, slug: account.slug, kind };
  };
}

/** Remembers an account that got a contract before its own fact arrived. */
export async function rememberAccount(queryable: Queryable, { id, slug, kind }: OwnerAccount): Promise<void> {
  await queryable.execute(sql`
    insert into account (id, slug, kind) values (${id}, ${slug}, ${kind}) on conflict (id) do nothing`);
}
