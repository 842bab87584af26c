import { randomBytes } from 'node:crypto';
import { type Queryable, type QueryOptions, sql } from '@platform/postgres';
import { Secret, type Sealed, type Sealer } from '@platform/service';
import type { SealedTable } from '@platform/writes';
import type { ArchiveValues } from './values.ts';

/** How long the link to an archive is valid, in seconds (open-points 11.2). */
const linkSeconds = 2 * 60 * 60;

/** The table with the values of archives. `platform admin keys rotate` seals them again. */
export const sealedArchives: SealedTable<{ readonly random: string }> = {
  table: 'archive', columns: sql`random`, identityOf: ({ random }) => `archive/${random}`,
};

/** Adds a link, with the values of its archive. @returns the random part of the link */
export async function insertArchive(
  queryable: Queryable, sealer: Sealer, subscriptionId: number, values: ArchiveValues,
): Promise<string> {
  const random = randomBytes(20).toString('hex');
  const { keyId, bytes } = sealer.seal(new Secret(JSON.stringify(values)), sealedArchives.identityOf({ random }));
  await queryable.execute(sql`
    insert into archive (subscription_id, random, expires_at, sealed_by, sealed_secret)
    values (${subscriptionId}, ${random}, now() + ${linkSeconds} * interval '1 second', ${keyId}, ${bytes})`);
  return random;
}

/** Finds the random part of the newest link that is valid now; undefined if no link is valid. */
export async function findValidArchive(queryable: Queryable, subscriptionId: number): Promise<string | undefined> {
  const row = await queryable.maybeOne(sql<{ random: string }>`
    select random from archive
     where subscription_id = ${subscriptionId} and expires_at > now() and sealed_secret is not null
     order by id desc limit 1`);
  return row?.random;
}

interface FoundArchive extends Partial<Sealed> {
  readonly ownerId: number | null;
  readonly installerName: string;
  readonly installerId: string;
  readonly random: string;
  readonly isExpired: boolean;
}

/** Finds an archive; undefined for a link that was never created or was removed. */
export async function findArchive(
  queryable: Queryable, random: string, options: QueryOptions,
): Promise<FoundArchive | undefined> {
  return queryable.maybeOne(sql<FoundArchive>`
    select installer.owner_id as "ownerId", installer.name as "installerName", installer.public_id as "installerId",
           random, archive.expires_at <= now() or archive.sealed_secret is null as "isExpired",
           archive.sealed_by as "keyId", archive.sealed_secret as "bytes"
      from archive
      join subscription on subscription.id = archive.subscription_id
      join installer on installer.id = subscription.installer_id
     where random = ${random}`, options);
}

export function openArchive(sealer: Sealer, sealed: Sealed, random: string): ArchiveValues {
  return JSON.parse(sealer.open(sealed, sealedArchives.identityOf({ random })).reveal()) as ArchiveValues;
}

/** Removes the archives of a subscription: their links and their values. */
export async function removeArchives(queryable: Queryable, subscriptionId: number): Promise<void> {
  await queryable.execute(sql`delete from archive where subscription_id = ${subscriptionId}`);
}

/** Erases the values of archives whose links have expired (open-points 11.2). @returns the number of archives */
export async function eraseExpired(queryable: Queryable, options: QueryOptions): Promise<number> {
  return queryable.execute(sql`
    update archive set sealed_by = null, sealed_secret = null
     where expires_at <= now() and sealed_secret is not null`, options);
}
