import { randomBytes, randomUUID } from 'node:crypto';
import type { Apply } from '@platform/facts';
import { addJobs, defineTask, type NewJob } from '@platform/jobs';
import { type Queryable, type QueryOptions, sql } from '@platform/postgres';
import { Secret, type Sealed, type Sealer } from '@platform/service';
import type { SealedTable } from '@platform/writes';
import type { Datasource, Flavor } from '../dashboards/dashboard.ts';
import type { BackendAccess } from './requested-backend.ts';

/** The part of a backend that is stored encrypted. */
interface BackendSecret {
  readonly access: BackendAccess;
  /** The token with which the datasource of the backend signs in to this platform. */
  readonly datasourceToken: string;
}

/** The metrics backend that a request registers or removes. */
export interface Target extends Datasource {
  readonly flavor: Flavor;
  /** Id of the cluster in the registry. If several accounts import a cluster, each import has its own id. */
  readonly clusterId: number;
  readonly clusterUid: string;
  readonly hubUid: string;
}

/** A backend that is registered, is being registered or is being removed. */
export interface BackendRow extends Datasource, Sealed {
  readonly id: number;
  readonly flavor: Flavor;
  readonly present: boolean;
  readonly confirmed: boolean;
  readonly settled: boolean;
  readonly revision: string;
  /** Id of the Grafana folder that contains the datasource. 0 at Perses, and until a registration succeeds. */
  readonly folderId: number;
}

const columns = sql`
  id, identity, flavor, owner_id as "ownerId", owner_name as "ownerName", present, confirmed, settled, revision,
  folder_id as "folderId", sealed_by as "keyId", sealed_secret as "bytes"`;

/** How long a lease is valid without a renewal, in seconds. It is longer than a call to a dashboard may take. */
const leaseSeconds = 12;
/** Delay before a job takes over a registration or removal that the request has not finished, in milliseconds. */
const takenUpMs = 10_000;

type BackendKey = Pick<BackendRow, 'identity' | 'flavor'>;

function sealIdentity({ identity, flavor }: BackendKey): string {
  return `backend/${identity}/${flavor}`;
}

/** The table `backend`. `platform admin keys rotate` encrypts its secrets again. */
export const sealedBackends: SealedTable<BackendKey> = {
  table: 'backend', columns: sql`identity, flavor`, identityOf: sealIdentity,
};

export function openBackend(sealer: Sealer, row: BackendKey & Sealed): BackendSecret {
  return JSON.parse(sealer.open(row, sealIdentity(row)).reveal()) as BackendSecret;
}

export const settleTask = defineTask<{ readonly id: number }>('settle-backend');

/** The job that finishes or undoes a change of a backend. Its key allows one waiting job for each backend. */
export function settleBackend({ id }: { readonly id: number }, afterMs: number): NewJob {
  return settleTask({ id }, { key: `settle-backend/${id}`, afterMs });
}

/** The right of one process to work on a backend. */
export interface Lease { readonly id: number; readonly lease: string }

/** Identifies one registration or removal of a backend. */
export interface Wanted { readonly id: number; readonly revision: string }

/**
 * Stores a backend, and adds a job that takes over if the request does not finish the registration. If another process
 * holds the lease of the backend, that process may also apply this change. If the backend is already registered, its
 * datasource keeps its token.
 * @throws UniqueViolation backend_flavorb_name
 */
export async function putBackend(
  queryable: Queryable, sealer: Sealer, backend: Omit<Target, 'clusterUid'> & { readonly access: BackendAccess },
): Promise<Wanted> {
  const { identity, flavor, ownerId, ownerName, clusterId, hubUid, access } = backend;
  const known = await queryable.maybeOne(sql<BackendRow>`
    select ${columns} from backend where identity = ${identity} and flavor = ${flavor} for no key update`);
  const datasourceToken = known?.present ? openBackend(sealer, known).datasourceToken : newToken();
  const secret: BackendSecret = { access, datasourceToken };
  const { keyId, bytes } = sealer.seal(new Secret(JSON.stringify(secret)), sealIdentity(backend));
  const put = await queryable.one(sql<Wanted>`
    insert into backend as known
           (identity, flavor, owner_id, owner_name, cluster_id, hub_uid, sealed_by, sealed_secret)
    values (${identity}, ${flavor}, ${ownerId}, ${ownerName}, ${clusterId}, ${hubUid}, ${keyId}, ${bytes})
    on conflict on constraint backend_identity do update
       set owner_id = excluded.owner_id, owner_name = excluded.owner_name, cluster_id = excluded.cluster_id,
           hub_uid = excluded.hub_uid, sealed_by = excluded.sealed_by, sealed_secret = excluded.sealed_secret,
           confirmed = known.confirmed and known.present, present = true, settled = false,
           revision = gen_random_uuid(), registered_at = clock_timestamp()
    returning id, revision`);
  await addJobs(queryable, [settleBackend(put, takenUpMs)]);
  return put;
}

/** A new token with 160 random bits. */
export function newToken(): string {
  return randomBytes(20).toString('hex');
}

const leaseEnd = sql`clock_timestamp() + ${leaseSeconds} * interval '1 second'`;

/** @returns undefined if the lease is already taken, or if the backend no longer exists */
export async function takeLease(queryable: Queryable, id: number, options: QueryOptions): Promise<Lease | undefined> {
  const lease = randomUUID();
  const taken = await queryable.execute(sql`
    update backend set lease = ${lease}, leased_until = ${leaseEnd}
     where id = ${id} and (lease is null or leased_until < clock_timestamp())`, options);
  return taken === 0 ? undefined : { id, lease };
}

/** Renews the lease, and reads the current row. @returns undefined if this process no longer has the lease */
export function renewLease(
  queryable: Queryable, { id, lease }: Lease, options: QueryOptions,
): Promise<BackendRow | undefined> {
  return queryable.maybeOne(sql<BackendRow>`
    update backend set leased_until = ${leaseEnd} where id = ${id} and lease = ${lease} returning ${columns}`, options);
}

/**
 * Marks a registered backend as settled, or deletes the row of a removed backend. Ends the lease.
 * @returns false if nothing was written, because the row has changed meanwhile or the lease was lost
 */
export async function finish(
  queryable: Queryable, { id, lease }: Lease, { revision, present, folderId }: BackendRow, options: QueryOptions,
): Promise<boolean> {
  const same = sql`id = ${id} and lease = ${lease} and revision = ${revision}`;
  const done = present
    ? sql`update backend
             set settled = true, confirmed = true, folder_id = ${folderId}, lease = null, leased_until = null
           where ${same}`
    : sql`delete from backend where ${same}`;
  return (await queryable.execute(done, options)) === 1;
}

/**
 * Hands the change of a failed request over to a job. Hands over nothing if the change is settled, a process holds the
 * lease, or another request has changed the backend. The job undoes a first registration, and finishes any other change
 * (open-points 9.1).
 */
export async function giveUp(queryable: Queryable, { id, revision }: Wanted, options: QueryOptions): Promise<void> {
  const left = await queryable.execute(sql`
    update backend set present = present and confirmed, revision = gen_random_uuid()
     where id = ${id} and revision = ${revision} and not settled
       and (lease is null or leased_until < clock_timestamp())`, options);
  if (left === 1) await addJobs(queryable, [settleBackend({ id }, 0)]);
}

export async function returnLease(queryable: Queryable, { id, lease }: Lease, options: QueryOptions): Promise<void> {
  await queryable.execute(sql`
    update backend set lease = null, leased_until = null where id = ${id} and lease = ${lease}`, options);
}

/**
 * Marks backends as removed, and adds jobs that remove their tokens and datasources. After the commit, no queries are
 * forwarded to these backends.
 */
export async function removeBackends(
  queryable: Queryable, which: BackendKey | { readonly clusterIds: readonly number[] } | Wanted,
): Promise<readonly Wanted[]> {
  const matching = 'identity' in which
    ? sql`identity = ${which.identity} and flavor = ${which.flavor}`
    : 'revision' in which
      ? sql`id = ${which.id} and revision = ${which.revision}` : sql`cluster_id = any (${which.clusterIds}::bigint[])`;
  const removed = await queryable.query(sql<Wanted>`
    update backend set present = false, settled = false, revision = gen_random_uuid()
     where ${matching} returning id, revision`);
  await addJobs(queryable, removed.map((backend) => settleBackend(backend, 'identity' in which ? takenUpMs : 0)));
  return removed;
}

/** Removes the backends of clusters that were removed (open-points 9.1) or moved to another account. */
export const applyClusters: Apply<'cluster'> = async (transaction, facts) => {
  const gone = facts.flatMap(({ key, value }) => (value === undefined ? [Number(key)] : []));
  const there = facts.flatMap(({ value }) => (value === undefined ? [] : [value]));
  const moved = await transaction.query(sql<{ id: number }>`
    select distinct cluster_id as "id"
      from backend join unnest(${there.map(({ id }) => id)}::bigint[], ${there.map(({ ownerId }) => ownerId)}::bigint[])
             as given (id, owner_id) on given.id = backend.cluster_id
     where backend.owner_id <> given.owner_id and backend.present`);
  const clusterIds = [...gone, ...moved.map(({ id }) => id)];
  if (clusterIds.length > 0) await removeBackends(transaction, { clusterIds });
};

/** Reads a backend in any state; undefined if there is no row. */
export function readBackend(queryable: Queryable, id: number, options: QueryOptions): Promise<BackendRow | undefined> {
  return queryable.maybeOne(sql<BackendRow>`select ${columns} from backend where id = ${id}`, options);
}

/** Marks a backend as removed if its first registration did not finish. The caller must hold the lease. */
export async function undoUnconfirmed(
  queryable: Queryable, { id, lease }: Lease, options: QueryOptions,
): Promise<void> {
  await queryable.execute(sql`
    update backend set present = false, revision = gen_random_uuid()
     where id = ${id} and lease = ${lease} and not confirmed and not settled`, options);
}
