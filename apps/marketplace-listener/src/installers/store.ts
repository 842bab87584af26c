import { type Queryable, type QueryOptions, sql } from '@platform/postgres';
import type { Sealer, Secret } from '@platform/service';
import type { SealedTable } from '@platform/writes';
import type { Marketplace } from '../marketplaces.ts';

export interface InstallerRow {
  readonly id: number;
  readonly publicId: string;
  readonly marketplace: Marketplace;
  readonly name: string;
  /** Null while the standalone organization of the installer is being created. */
  readonly ownerId: number | null;
  readonly ownerName: string;
  readonly clusterUid: string | null;
}

const columns = sql`
  installer.id, installer.public_id as "publicId", installer.marketplace, installer.name,
  installer.owner_id as "ownerId", installer.owner_name as "ownerName", installer.cluster_uid as "clusterUid"`;

/** The table of the access tokens of installers. `platform admin keys rotate` seals them again. */
export const sealedTokens: SealedTable<{ readonly publicId: string }> = {
  table: 'installer', columns: sql`public_id as "publicId"`, identityOf: ({ publicId }) => `installer/${publicId}`,
};

/** The sealed access token of the installer with the public id `tokenOf`. `bytes` is null if there is no token. */
export interface SealedToken {
  readonly tokenOf: string | null;
  readonly keyId: string | null;
  readonly bytes: Buffer | null;
}

/** The access token with which an installer's usage is reported; undefined if there is none. */
export function openToken(sealer: Sealer, { tokenOf, keyId, bytes }: SealedToken): Secret | undefined {
  if (tokenOf === null || keyId === null || bytes === null) return undefined;
  return sealer.open({ keyId, bytes }, sealedTokens.identityOf({ publicId: tokenOf }));
}

export interface NewInstaller extends Omit<InstallerRow, 'id' | 'clusterUid'> {
  readonly claimId: string | null;
  readonly hostedBaseUrl: string;
  readonly token: Secret | undefined;
}

/** Adds an installer. @returns its id @throws UniqueViolation installer_name_of_owner */
export async function insertInstaller(queryable: Queryable, sealer: Sealer, installer: NewInstaller): Promise<number> {
  const { publicId, marketplace, name, ownerId, ownerName, claimId, hostedBaseUrl, token } = installer;
  const sealed = token && sealer.seal(token, sealedTokens.identityOf({ publicId }));
  const { id } = await queryable.one(sql<{ id: number }>`
    insert into installer
           (public_id, marketplace, name, owner_id, owner_name, claim_id, hosted_base_url, sealed_by, sealed_secret)
    values (${publicId}, ${marketplace}, ${name}, ${ownerId}, ${ownerName}, ${claimId}, ${hostedBaseUrl},
            ${sealed?.keyId ?? null}, ${sealed?.bytes ?? null})
    returning id`);
  return id;
}

/** The installer; undefined if there is no such installer, or the installer has no organization yet. */
export function findInstaller(
  queryable: Queryable, publicId: string, marketplace: Marketplace, options: QueryOptions,
): Promise<InstallerRow | undefined> {
  return queryable.maybeOne(sql<InstallerRow>`
    select ${columns} from installer
     where public_id = ${publicId} and marketplace = ${marketplace} and owner_id is not null`, options);
}

/** Locks an installer until the transaction ends. Lock its subscription first. */
export function lockInstaller(queryable: Queryable, id: number): Promise<InstallerRow> {
  return queryable.one(sql<InstallerRow>`
    select ${columns} from installer where id = ${id} for no key update`);
}

export async function bindInstaller(queryable: Queryable, id: number, clusterUid: string): Promise<void> {
  await queryable.execute(sql`update installer set cluster_uid = ${clusterUid} where id = ${id}`);
}

/** Removes the cluster from an installer after a failed bind. The installer is `Pending` again. */
export async function releaseInstaller(queryable: Queryable, id: number): Promise<void> {
  await queryable.execute(sql`update installer set cluster_uid = null where id = ${id}`);
}

interface OwnerlessInstaller {
  readonly id: number;
  readonly claimId: string;
  readonly ownerName: string;
}

/** An installer without an owner; undefined if there is no such installer, or the installer has an owner. */
export function findOwnerless(
  queryable: Queryable, id: number, options: QueryOptions,
): Promise<OwnerlessInstaller | undefined> {
  return queryable.maybeOne(sql<OwnerlessInstaller>`
    select id, claim_id as "claimId", owner_name as "ownerName"
      from installer where id = ${id} and owner_id is null`, options);
}

export async function setOwner(
  queryable: Queryable, id: number, owner: { readonly id: number; readonly name: string }, options: QueryOptions,
): Promise<void> {
  await queryable.execute(sql`
    update installer set owner_id = ${owner.id}, owner_name = ${owner.name}
     where id = ${id} and owner_id is null`, options);
}

/**
 * Changes the name of the organization that will be created for an installer. Does nothing if the name has changed
 * meanwhile, or if the installer has an owner now.
 */
export async function renameOwner(
  queryable: Queryable, { id, ownerName }: OwnerlessInstaller, name: string, options: QueryOptions,
): Promise<void> {
  await queryable.execute(sql`
    update installer set owner_name = ${name} where id = ${id} and owner_id is null and owner_name = ${ownerName}`,
  options);
}

export const listedInstallers = sql`
  select id, public_id as "publicId", marketplace, name, owner_name as "ownerName", cluster_uid as "clusterUid"
    from installer where owner_id is not null`;
export const countInstallers = sql`select count(*) from installer where owner_id is not null`;
