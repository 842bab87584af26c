import { type Fragment, type Queryable, sql } from '@platform/postgres';
import type { CallContext } from '@platform/rpc';
import type { Deadline } from '@platform/service';
import type { Parts } from '../parts.ts';
import type { Product, Products } from '../products/products.ts';
import { wholeSecond } from '../values.ts';
import { draftLicences } from './draft.ts';
import { type Attempt, type IssuedLicence, noLicence, Stale, unlessStale } from './issue.ts';
import { hasShown, usesUnproven } from './possession.ts';
import { insertLicences } from './store.ts';

const trialMs = 30 * 86_400_000;

type Trial = { readonly startsAt: Date; readonly endsAt: Date };

/** What decides whether an account can get a trial licence for a cluster (open-points 6.2, 6.5). */
interface TrialGround {
  /** Whether the account has imported the cluster, or has made a licence proxy installer for the cluster. */
  readonly known: boolean;
  /**
   * Whether the account has shown control of the cluster. If not, the contracts and trials of other accounts that have
   * shown control count, too.
   */
  readonly shown: boolean;
  /** Whether the cluster is bound to a contract of this account, or of another account that counts (see `shown`). */
  readonly contracted: boolean;
  /** The trial of this account, otherwise the first trial of the other accounts that count (see `shown`). */
  readonly trial: Trial | undefined;
  /** Whether `trial` is the trial of this account. */
  readonly isOwn: boolean;
}

export async function readTrialGround(
  queryable: Queryable, ownerId: number, clusterUid: string, deadline: Deadline,
): Promise<TrialGround> {
  const [owner, uid] = [sql`${ownerId}::bigint`, sql`${clusterUid}::uuid`];
  const counts = (other: Fragment): Fragment =>
    sql`(${other} = ${owner} or not ground.shown and ${hasShown(other, uid)})`;
  const { startsAt, endsAt, ...ground } = await queryable.one(
    sql<Omit<TrialGround, 'trial'> & { startsAt: Date | null; endsAt: Date | null }>`
    select ground.known, ground.shown,
           exists (
             select from contract_cluster bound join contract on contract.id = bound.contract_id
              where bound.cluster_uid = ${uid} and ${counts(sql`contract.owner_id`)}
           ) as "contracted",
           counting.started_at as "startsAt", counting.ends_at as "endsAt",
           coalesce(counting.owner_id = ${owner}, false) as "isOwn"
      from (
        select exists (
                 select from imported_cluster where owner_id = ${owner} and uid = ${uid} and not removed
               ) or exists (
                 select from installer_cluster where owner_id = ${owner} and cluster_uid = ${uid}
               ) as known,
               ${hasShown(owner, uid)} as shown
      ) ground
      left join lateral (
        select * from account_trial other where other.cluster_uid = ${uid} and ${counts(sql`other.owner_id`)}
         order by other.owner_id = ${owner} desc, other.started_at limit 1
      ) counting on true`,
    { deadline },
  );
  return { ...ground, trial: startsAt === null || endsAt === null ? undefined : { startsAt, endsAt } };
}

/**
 * Issues a trial licence for a cluster (open-points 6.2, 6.5). If `ground` has no trial, a trial of 30 days begins. The
 * licence ends with the trial at the latest. The licence has all features of each plan that has a requested feature. If
 * no feature is requested, the licence has the features of all plans.
 * @throws Fault NO_ACTIVE_CONTRACT when the trial is over, when no plan has a requested feature, or when the account
 *   uses too many clusters of which it has not shown control; also the errors of {@link draftLicences} and
 *   {@link insertLicences}
 */
export async function issueTrial(
  parts: Parts, context: CallContext, { ownerId, clusterUid, features, ground }: {
    ownerId: number; clusterUid: string; features: readonly string[]; ground: TrialGround;
  },
): Promise<Attempt<readonly IssuedLicence[]>> {
  const products = productsWith(parts.products, features);
  const [first] = products;
  const now = new Date();
  const { trial: begun } = ground;
  const use = { ownerId, clusterUid, most: parts.config.clustersUnproven };
  const isBounded = !ground.shown && !ground.isOwn;
  if (isBounded && await usesUnproven(parts.database, use, context)) throw noLicence('NO_ACTIVE_CONTRACT');
  if (first === undefined || begun !== undefined && begun.endsAt <= now) throw noLicence('NO_ACTIVE_CONTRACT');
  const startsNow = wholeSecond(now.getTime());
  const trial = begun ?? { startsAt: startsNow, endsAt: new Date(startsNow.getTime() + trialMs) };
  const [draft] = await draftLicences(parts, [{
    clusterId: clusterUid,
    ownerId,
    plan: { productLine: first.alias, tier: first.tierName, name: `${first.alias}-${first.tierName}` },
    features: [...new Set(products.flatMap((product) => product.features))].sort(),
    flags: {},
    endsAt: trial.endsAt,
  }], now, context.deadline);
  const { terms, pem, signedBy } = draft!;
  const issued = { terms, pem, contractId: 0, startsAt: trial.startsAt, endsAt: terms.notAfter };
  return unlessStale(parts.change(context, async (work) => {
    if (isBounded) {
      // Trials that begin concurrently must be counted one after the other.
      await work.query(sql`select lock_owner_alone(${ownerId})`);
      if (await usesUnproven(work, use)) throw noLicence('NO_ACTIVE_CONTRACT');
    }
    if (!ground.isOwn && !(await beginTrial(work, ownerId, clusterUid, trial))) throw new Stale();
    if (!(await parts.authorities.stillSigns(work, [signedBy]))) throw new Stale();
    await insertLicences(work, [issued]);
    return { issued: [issued] };
  }));
}

function productsWith(products: Products, features: readonly string[]): Product[] {
  return [...products.values()].filter((product) =>
    features.length === 0 || features.some((feature) => product.features.includes(feature)));
}

/** @returns false when another call of the account has begun the trial meanwhile */
async function beginTrial(
  queryable: Queryable, ownerId: number, clusterUid: string, { startsAt, endsAt }: Trial,
): Promise<boolean> {
  const inserted = await queryable.execute(sql`
    insert into account_trial (owner_id, cluster_uid, started_at, ends_at)
    values (${ownerId}, ${clusterUid}::uuid, ${startsAt}, ${endsAt})
        on conflict (owner_id, cluster_uid) do nothing`);
  await queryable.execute(sql`
    insert into trial (cluster_uid, started_at, ends_at) values (${clusterUid}::uuid, ${startsAt}, ${endsAt})
        on conflict (cluster_uid) do nothing`);
  return inserted === 1;
}
