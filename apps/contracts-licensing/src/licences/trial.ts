import { type Queryable, sql } from '@platform/postgres';
import type { Work } from '../change.ts';
import type { Product, Products } from '../products/products.ts';
import { type IssuedLicence, type Issuer, type LeafKey, noLicence, recordAndSign, termsOf } from './issue.ts';

const trialMs = 30 * 86_400_000;

/** What is known of a cluster where no contract gives a licence for it. */
export interface TrialGround {
  /** The account has imported it, or named it in an installer. */
  readonly known: boolean;
  /** Some account has a contract with it. */
  readonly contracted: boolean;
}

export function readTrialGround(queryable: Queryable, ownerId: number, clusterUid: string): Promise<TrialGround> {
  return queryable.one(sql<TrialGround>`
    select exists (
             select from imported_cluster
              where owner_id = ${ownerId} and uid = ${clusterUid}::uuid and not removed
           ) or exists (
             select from installer_cluster where owner_id = ${ownerId} and cluster_uid = ${clusterUid}::uuid
           ) as "known",
           exists (select from contract_cluster where cluster_uid = ${clusterUid}::uuid) as "contracted"`);
}

/**
 * Issues the trial licence of a cluster: 30 days from the first one, once for each cluster over all accounts, with all
 * features of the plans that have one of those asked for (open-points 6.2, 6.5).
 * @throws Fault NO_ACTIVE_CONTRACT when it is over, or when no plan has such a feature
 */
export async function issueTrial(
  issuer: Issuer, work: Work, { ownerId, clusterUid, features, key }: {
    ownerId: number; clusterUid: string; features: readonly string[]; key: LeafKey;
  },
): Promise<IssuedLicence> {
  const products = productsWith(issuer.products, features);
  const [first] = products;
  if (first === undefined) throw noLicence('NO_ACTIVE_CONTRACT');
  const now = new Date();
  const { startedAt, endsAt } = await beginTrial(work, clusterUid, now);
  if (endsAt <= now) throw noLicence('NO_ACTIVE_CONTRACT');
  const authority = await issuer.authorities.signing(work);
  const terms = termsOf(authority, now, endsAt, {
    clusterId: clusterUid,
    ownerId,
    plan: { productLine: first.alias, tier: first.tierName, name: `${first.alias}-${first.tierName}` },
    features: [...new Set(products.flatMap((product) => product.features))].sort(),
    flags: {},
  });
  const pem = await recordAndSign(issuer, work, authority, terms, 0, key);
  return { terms, pem, contractId: 0, startsAt: startedAt, endsAt: terms.notAfter };
}

function productsWith(products: Products, features: readonly string[]): Product[] {
  return [...products.values()].filter((product) =>
    features.length === 0 || features.some((feature) => product.features.includes(feature)));
}

/** The one trial of the cluster: begun now unless it was before. */
async function beginTrial(
  queryable: Queryable, clusterUid: string, now: Date,
): Promise<{ readonly startedAt: Date; readonly endsAt: Date }> {
  const startedAt = new Date(Math.floor(now.getTime() / 1000) * 1000);
  await queryable.execute(sql`
    insert into trial (cluster_uid, started_at, ends_at)
    values (${clusterUid}::uuid, ${startedAt}, ${new Date(startedAt.getTime() + trialMs)})
        on conflict (cluster_uid) do nothing`);
  return queryable.one(sql<{ startedAt: Date; endsAt: Date }>`
    select started_at as "startedAt", ends_at as "endsAt" from trial where cluster_uid = ${clusterUid}::uuid`);
}
