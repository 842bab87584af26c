import { type Queryable, sql } from '@platform/postgres';
import { notFound } from '@platform/faults';
import type { Deadline } from '@platform/service';

/** Whether a text consists of 26 upper-case letters and digits, like the id of a claim (open-points 11.5). */
export function hasClaimForm(text: string): boolean {
  return /^[A-Z0-9]{26}$/.test(text);
}

/** A standalone organization and the state of its claim. */
interface ClaimRow {
  readonly organizationId: number;
  readonly slug: string;
  readonly ownersTeamId: number;
  readonly claimable: boolean;
  /** Null while unclaimed. */
  readonly claimedAt: Date | null;
}

export async function findClaim(queryable: Queryable, id: string, deadline: Deadline): Promise<ClaimRow | undefined> {
  return queryable.maybeOne(sql<ClaimRow>`
    select claim.organization_id as "organizationId", account.name as "slug", team.id as "ownersTeamId",
           claimable, claimed_at as "claimedAt"
      from claim
      join account on account.id = claim.organization_id
      join team on team.organization_id = claim.organization_id and team.is_owners
     where claim.id = ${id}`, { deadline });
}

/** @throws Fault NOT_FOUND */
export async function readClaim(queryable: Queryable, id: string, deadline: Deadline): Promise<ClaimRow> {
  const found = hasClaimForm(id) ? await findClaim(queryable, id, deadline) : undefined;
  if (found === undefined) throw notFound('there is no such claim');
  return found;
}

/** Locks a claim until the transaction ends. So concurrent calls with the same id do not create two organizations. */
export async function lockClaim(queryable: Queryable, id: string): Promise<void> {
  await queryable.execute(sql`select pg_advisory_xact_lock(hashtextextended('orgs-teams.claim.' || ${id}, 0))`);
}

export async function insertClaim(
  queryable: Queryable, claim: { readonly id: string; readonly organizationId: number; readonly claimable: boolean },
): Promise<void> {
  await queryable.execute(sql`
    insert into claim (id, organization_id, claimable) values (${claim.id}, ${claim.organizationId}, ${claim.claimable})`);
}

/** Makes the organization of a claim claimable. Returns false if it already was, or if the claim does not exist. */
export async function makeClaimable(queryable: Queryable, id: string): Promise<boolean> {
  return (await queryable.execute(sql`update claim set claimable = true where id = ${id} and not claimable`)) > 0;
}

/** Marks a claim as claimed, and returns the time. Fails if the claim is not claimable or already claimed. */
export async function markClaimed(queryable: Queryable, id: string): Promise<Date> {
  const { claimedAt } = await queryable.one(sql<{ claimedAt: Date }>`
    update claim set claimed_at = now() where id = ${id} and claimable and claimed_at is null
    returning claimed_at as "claimedAt"`);
  return claimedAt;
}

/** Returns the claim id of the oldest organization that can be claimed; undefined if there is none. */
export async function findOldestClaim(queryable: Queryable, deadline: Deadline): Promise<string | undefined> {
  // Organizations get ascending ids, so the oldest organization has the lowest id.
  const oldest = await queryable.maybeOne(sql<{ id: string }>`
    select id from claim where claimable and claimed_at is null order by organization_id limit 1`, { deadline });
  return oldest?.id;
}
