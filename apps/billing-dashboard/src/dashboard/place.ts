import { type List, type Listed, pageOf, type Page, type PageLimits, readPage } from '@platform/lists';
import { type Fragment, type Queryable, sql } from '@platform/postgres';
import { notFound } from '@platform/faults';
import type { Deadline } from '@platform/service';
import { invalidParameter, uuidProblem } from '@platform/values';

interface Place {
  readonly ownerId: number;
  /** UUID in lower case. */
  readonly clusterUid: string;
}

export type LicencePlace = Place & { readonly licenceId: string };

export type ProductPlace = LicencePlace & { readonly productName: string };

type Path<Parameter extends string> = Readonly<Record<Parameter, string>>;

/**
 * Parses the id of an account in a path. Call it after the check of the access rule, so that a caller without the right
 * gets the same refusal for valid and invalid ids (open-points 13.5). @throws Fault INVALID_PARAMETER
 */
export function ownerFrom({ uid }: Path<'uid'>): number {
  if (!/^[1-9]\d{0,15}$/.test(uid) || !Number.isSafeInteger(Number(uid))) {
    throw invalidParameter('uid', 'must be the id of an account');
  }
  return Number(uid);
}

/** @throws Fault INVALID_PARAMETER for an invalid account id, NOT_FOUND for an invalid cluster id (open-points 8.6) */
export function placeFrom({ uid, cid }: Path<'uid' | 'cid'>): Place {
  const ownerId = ownerFrom({ uid });
  if (uuidProblem(cid) !== undefined) throw notFound();
  return { ownerId, clusterUid: cid.toLowerCase() };
}

export function licenceFrom(path: Path<'uid' | 'cid' | 'lid'>): LicencePlace {
  return { ...placeFrom(path), licenceId: path.lid };
}

export function productFrom(path: Path<'uid' | 'cid' | 'lid' | 'productName'>): ProductPlace {
  return { ...licenceFrom(path), productName: path.productName };
}

/** Parses the page of a list. `perPage` is the page size, because `limit` is a time window here (open-points 1.8). */
export function pageFrom(
  { page, perPage, after }: { page?: number | undefined; perPage?: number | undefined; after?: string | undefined },
  limits: PageLimits,
): Page {
  return pageOf({ page, limit: perPage, after }, limits);
}

export function accountIsKnown({ ownerId }: Pick<Place, 'ownerId'>): Fragment {
  return sql`exists (select from account where id = ${ownerId} and not deleted)`;
}

/**
 * SQL condition: the account exists, and at least one of these is true: the account has imported the cluster, has a
 * licence for the cluster, or has events from the cluster.
 */
export function clusterIsKnown(place: Place): Fragment {
  const { ownerId, clusterUid } = place;
  return sql`(
    ${accountIsKnown(place)} and (
      exists (select from cluster where owner_id = ${ownerId} and uid = ${clusterUid}::uuid and not removed)
      or exists (select from licence where owner_id = ${ownerId} and cluster_uid = ${clusterUid}::uuid)
      or exists (select from product_contact where owner_id = ${ownerId} and cluster_uid = ${clusterUid}::uuid)
    )
  )`;
}

/** SQL condition: the account exists, and this service knows the licence or has received events under it. */
export function licenceIsKnown(place: LicencePlace): Fragment {
  const { ownerId, clusterUid, licenceId } = place;
  return sql`(
    ${accountIsKnown(place)} and (
      exists (
        select from licence where id = ${licenceId} and owner_id = ${ownerId} and cluster_uid = ${clusterUid}::uuid
      ) or exists (select from product_contact where ${isUnder(place)})
    )
  )`;
}

export function productIsKnown(place: ProductPlace): Fragment {
  return sql`(
    ${accountIsKnown(place)}
    and exists (select from product_contact where ${isUnder(place)} and product_name = ${place.productName})
  )`;
}

/** SQL condition: the row of `product_contact` belongs to the licence. */
export function isUnder({ ownerId, clusterUid, licenceId }: LicencePlace): Fragment {
  return sql`(
    product_contact.owner_id = ${ownerId} and product_contact.cluster_uid = ${clusterUid}::uuid
    and product_contact.licence_id = ${licenceId}
  )`;
}

/**
 * Reads a page of a list.
 * @throws Fault NOT_FOUND if the condition `known` is false; INVALID_PARAMETER if `after` cannot be decoded
 */
export async function readKnown<Row extends object>(
  queryable: Queryable, known: Fragment, list: Omit<List, 'count'>, page: Page, deadline: Deadline,
): Promise<Listed<Row>> {
  const count = sql`select (select count(*) from (${list.rows}) listed) where ${known}`;
  const listed = await readPage<Row>(queryable, { ...list, count }, page, deadline);
  if (listed === undefined) throw notFound();
  return listed;
}

/** @throws Fault NOT_FOUND if the condition `known` is false */
export async function requireKnown(queryable: Queryable, known: Fragment, deadline: Deadline): Promise<void> {
  const { found } = await queryable.one(sql<{ found: boolean }>`select ${known} as "found"`, { deadline });
  if (!found) throw notFound();
}

/** Returns Unix seconds; 0 for null (open-points 1.7). */
export function unix(time: Date | null): number {
  return time === null ? 0 : Math.floor(time.getTime() / 1000);
}

type Times = 'firstReceivedAt' | 'lastReceivedAt';

/** A row with times as PostgreSQL returns them. Answers show these times as Unix seconds. */
export type Timed<Shown> = Omit<Shown, Times> & Readonly<Record<Times, Date>>;

export function showTimes<Row extends Readonly<Record<Times, Date>>>(
  { firstReceivedAt, lastReceivedAt, ...row }: Row,
): Omit<Row, Times> & Record<Times, number> {
  return { ...row, firstReceivedAt: unix(firstReceivedAt), lastReceivedAt: unix(lastReceivedAt) };
}
