import { type Queryable, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';

interface NewBusUser {
  readonly organizationId: number;
  /** Id of the organization's hidden system admin. */
  readonly accountId: number;
  readonly publicKey: string;
  readonly signingKey: string;
  /** UUID in lower case. */
  readonly clusterId: string;
  readonly productName: string;
  /** Id of the request that adds the user; undefined if the request has no `Idempotency-Key`. */
  readonly request: string | undefined;
}

/** Inserts the bus account of an organization unless there is one; returns the public key of the account. */
export async function insertBusAccount(
  queryable: Queryable, organizationId: number, publicKey: string,
): Promise<string> {
  await queryable.execute(sql`
    insert into bus_account (organization_id, public_key) values (${organizationId}, ${publicKey})
    on conflict (organization_id) do nothing`);
  const row = await queryable.one(sql<{ publicKey: string }>`
    select public_key as "publicKey" from bus_account where organization_id = ${organizationId}`);
  return row.publicKey;
}

export async function insertBusUser(queryable: Queryable, user: NewBusUser): Promise<number> {
  const { id } = await queryable.one(sql<{ id: number }>`
    insert into bus_user (organization_id, account_id, public_key, signing_key, cluster_id, product_name, request)
    values (
      ${user.organizationId}, ${user.accountId}, ${user.publicKey}, ${user.signingKey}, ${user.clusterId}::uuid,
      ${user.productName}, ${user.request ?? null}::uuid
    )
    returning id`);
  return id;
}

export async function countLiveBusUsers(queryable: Queryable, organizationId: number): Promise<number> {
  const { count } = await queryable.one(sql<{ count: number }>`
    select count(*) as "count" from bus_user where organization_id = ${organizationId} and revoked_at is null`);
  return count;
}

/** Returns the oldest unrevoked bus user of a product in a cluster; undefined if there is none. */
export function findLiveBusUser(
  queryable: Queryable, organizationId: number, clusterId: string, productName: string,
): Promise<{ readonly id: number; readonly busPubKey: string } | undefined> {
  return queryable.maybeOne(sql<{ id: number; busPubKey: string }>`
    select id, public_key as "busPubKey" from bus_user
     where organization_id = ${organizationId} and cluster_id = ${clusterId}::uuid and product_name = ${productName}
       and revoked_at is null
     order by id limit 1`);
}

/** Deletes a bus user whose credentials were not returned to a client. Other users must be revoked instead. */
export async function deleteBusUser(queryable: Queryable, id: number): Promise<void> {
  await queryable.execute(sql`delete from bus_user where id = ${id}`);
}

/**
 * Revokes a bus user of the system admin `accountId`. `before` is whether the user was already revoked.
 * @returns undefined if the system admin has no bus user with this id
 */
export async function revokeBusUser(
  queryable: Queryable, accountId: number, id: number,
): Promise<{ readonly publicKey: string; readonly before: boolean } | undefined> {
  const row = await queryable.maybeOne(sql<{ publicKey: string; before: boolean }>`
    select public_key as "publicKey", revoked_at is not null as "before"
      from bus_user where id = ${id} and account_id = ${accountId}
       for no key update`);
  if (row?.before === false) await queryable.execute(sql`update bus_user set revoked_at = now() where id = ${id}`);
  return row;
}

/**
 * Revokes the bus users that earlier attempts of a request added. The client may not have received their credentials.
 * @returns the users that this call revoked
 */
export function revokeBusUserOfRequest(
  queryable: Queryable, request: string,
): Promise<{ readonly id: number; readonly publicKey: string }[]> {
  return queryable.query(sql<{ id: number; publicKey: string }>`
    update bus_user set revoked_at = now() where request = ${request}::uuid and revoked_at is null
    returning id, public_key as "publicKey"`);
}

/**
 * Revokes the older bus users of a product in a cluster. A user is older if its id is less than `id`.
 * @returns the users that this call revoked
 */
export function revokeOlderBusUsers(
  queryable: Queryable,
  { organizationId, clusterId, productName, id }: Pick<NewBusUser, 'organizationId' | 'clusterId' | 'productName'> & {
    readonly id: number;
  },
): Promise<{ readonly id: number; readonly publicKey: string }[]> {
  return queryable.query(sql<{ id: number; publicKey: string }>`
    update bus_user set revoked_at = now()
     where organization_id = ${organizationId} and cluster_id = ${clusterId}::uuid and product_name = ${productName}
       and revoked_at is null and id < ${id}
    returning id, public_key as "publicKey"`);
}

/** The data from which the JWT of an organization's bus account is created. */
export interface BusAccountRow {
  readonly publicKey: string;
  readonly revision: number;
  /** Whether the NATS servers have this revision of the account. */
  readonly told: boolean;
  /** Public signing keys of the users that are not revoked, by ascending user id. */
  readonly live: readonly string[];
  /** The users that were revoked last, at most {@link mostRevocations}. `at`: time of revocation in Unix seconds. */
  readonly revoked: readonly { readonly publicKey: string; readonly at: number }[];
}

/**
 * Maximum number of revocations in the JWT of an account. Older revocations are left out. The bus refuses their users
 * too, because the JWT contains no signing keys of revoked users.
 */
const mostRevocations = 2_000;

/** Reads an organization's account on the bus in one statement. Undefined if the organization has none. */
export async function readBusAccount(queryable: Queryable, organizationId: number): Promise<BusAccountRow | undefined> {
  return queryable.maybeOne(sql<BusAccountRow>`
    select account.public_key as "publicKey", account.revision, account.told_revision >= account.revision as "told",
           array(
             select signing_key from bus_user where organization_id = account.organization_id and revoked_at is null
              order by id
           ) as "live",
           (select coalesce(jsonb_agg(jsonb_build_object('publicKey', latest.public_key, 'at', latest.at)), '[]')
              from (
                select public_key, floor(extract(epoch from revoked_at))::bigint as at
                  from bus_user where organization_id = account.organization_id and revoked_at is not null
                 order by revoked_at desc, id desc limit ${mostRevocations}
              ) latest) as "revoked"
      from bus_account account
     where account.organization_id = ${organizationId}`);
}

/** How long a replica has the exclusive right to push an account, in seconds. This is longer than a push may take. */
const leaseSeconds = 10;

/**
 * Takes the lease of an account that must be pushed. Ignores a lease that ends more than {@link leaseSeconds} seconds
 * from now. Only a clock that was set back explains such an end.
 * @returns undefined if the account needs no push, if another call has the lease, or if there is no account
 */
export async function takeLease(
  queryable: Queryable, organizationId: number, deadline: Deadline,
): Promise<{ readonly lease: string } | undefined> {
  return queryable.maybeOne(sql<{ lease: string }>`
    update bus_account
       set lease = gen_random_uuid(), leased_until = clock_timestamp() + ${leaseSeconds}::integer * interval '1 s'
     where organization_id = ${organizationId} and told_revision < revision
       and (leased_until between clock_timestamp() and clock_timestamp() + ${leaseSeconds}::integer * interval '1 s') is not true
    returning lease`, { deadline });
}

/** Stores that the servers have this revision. Does nothing if the lease has ended: another replica may be pushing. */
export async function noteTold(
  queryable: Queryable, told: { lease: string; organizationId: number; revision: number; layout: string },
): Promise<void> {
  await queryable.execute(sql`
    update bus_account
       set told_revision = ${told.revision}, told_layout = ${told.layout}, told_at = now()
     where organization_id = ${told.organizationId} and lease = ${told.lease}::uuid and leased_until > clock_timestamp()`);
}

export async function endLease(queryable: Queryable, organizationId: number, lease: string): Promise<void> {
  await queryable.execute(sql`
    update bus_account set lease = null, leased_until = null
     where organization_id = ${organizationId} and lease = ${lease}::uuid`);
}

/**
 * Returns the latest revision of an organization's bus account, and the revision that was pushed to the servers last.
 * Returns undefined if the organization has no bus account.
 */
export async function readRevisions(
  queryable: Queryable, organizationId: number, deadline: Deadline,
): Promise<{ readonly revision: number; readonly told: number } | undefined> {
  return queryable.maybeOne(sql<{ revision: number; told: number }>`
    select revision, told_revision as "told" from bus_account where organization_id = ${organizationId}`, { deadline });
}

/**
 * Returns up to `most` ids of organizations, ascending. The latest revision of their accounts at the bus was not pushed
 * yet.
 */
export async function readUntold(queryable: Queryable, most: number, deadline: Deadline): Promise<number[]> {
  const rows = await queryable.query(sql<{ id: number }>`
    select organization_id as "id" from bus_account where told_revision < revision
     order by organization_id limit ${most}`, { deadline });
  return rows.map(({ id }) => id);
}

/**
 * Returns up to `most` bus accounts whose latest revision was pushed to the NATS servers, by ascending organization id.
 * The ids are greater than `after`. With `lately`, returns only accounts that were pushed in the last two minutes.
 */
export async function readTold(
  queryable: Queryable,
  { after, lately, most }: { readonly after: number; readonly lately: boolean; readonly most: number },
  deadline: Deadline,
): Promise<{ organizationId: number; publicKey: string; revision: number }[]> {
  return queryable.query(sql<{ organizationId: number; publicKey: string; revision: number }>`
    select organization_id as "organizationId", public_key as "publicKey", revision
      from bus_account
     where organization_id > ${after} and told_revision = revision
       and (not ${lately}::boolean or told_at > now() - interval '2 minutes')
     order by organization_id limit ${most}`, { deadline });
}

/** Marks the bus accounts of these organizations, so that they are pushed to the NATS servers again. */
export async function forgetTold(queryable: Queryable, organizationIds: readonly number[]): Promise<void> {
  await queryable.execute(sql`
    update bus_account set revision = revision + 1 where organization_id = any (${organizationIds}::bigint[])`);
}

/** Marks the bus accounts whose last push had an {@link accountLayout} other than `layout`. They are pushed again. */
export async function forgetOtherLayouts(queryable: Queryable, layout: string, deadline: Deadline): Promise<void> {
  await queryable.execute(sql`
    update bus_account set revision = revision + 1
     where told_layout <> ${layout} and told_revision = revision`, { deadline });
}
