import { type Queryable, sql } from '@platform/postgres';
import type { CallContext } from '@platform/rpc';
import type { Deadline } from '@platform/service';
import type { Parts } from '../parts.ts';
import type { Product, Products } from '../products/products.ts';
import { draftLicences } from './draft.ts';
import { type Attempt, type IssuedLicence, noLicence } from './issue.ts';
import { insertLicences } from './store.ts';

const trialMs = 30 * 86_400_000;

/** The one trial of a cluster. */
export interface Trial {
  readonly startsAt: Date;
  readonly endsAt: Date;
}

/** What is known of a cluster where no contract gives a licence for it. */
export interface TrialGround {
  /** The account has imported it, or named it in an installer. */
  readonly known: boolean;
  /** Some account has a contract with it. */
  readonly contracted: boolean;
  /** Its trial, if one has begun for any account. */
  readonly trial: Trial | undefined;
}

export async function readTrialGround(
  queryable: Queryable, ownerId: number, clusterUid: string, deadline: Deadline,
): Promise<TrialGround> {
  const { startsAt, endsAt, ...ground } = await queryable.one(
    sql<Omit<TrialGround, 'trial'> & { startsAt: Date | null; endsAt: Date | null }>`
    select exists (
             select from imported_cluster
              where owner_id = ${ownerId} and uid = ${clusterUid}::uuid and not removed
           ) or exists (
             select from installer_cluster where owner_id = ${ownerId} and cluster_uid = ${clusterUid}::uuid
           ) as "known",
           exists (select from contract_cluster where cluster_uid = ${clusterUid}::uuid) as "contracted",
           trial.started_at as "startsAt", trial.ends_at as "endsAt"
      from (values (true)) as always
      left join trial on trial.cluster_uid = ${clusterUid}::uuid`,
    { deadline },
  );
  return { ...ground, trial: startsAt === null || endsAt === null ? undefined : { startsAt, endsAt } };
}

/**
 * Issues the trial licence of a cluster: 30 days from the first one, once for each cluster over all accounts, with all
 * features of the plans that have one of those asked for (open-points 6.2, 6.5).
 * @param begun its trial, as it was read; undefined when none has begun
 * @throws Fault NO_ACTIVE_CONTRACT when it is over, or when no plan has such a feature
 */
export async function issueTrial(
  parts: Parts, context: CallContext, { ownerId, clusterUid, features, begun }: {
    ownerId: number; clusterUid: string; features: readonly string[]; begun: Trial | undefined;
  },
): Promise<Attempt<readonly IssuedLicence[]>> {
  const products = productsWith(parts.products, features);
  const [first] = products;
  const now = new Date();
  if (first === undefined || begun !== undefined && begun.endsAt <= now) throw noLicence('NO_ACTIVE_CONTRACT');
  const trial = begun ?? trialFrom(now);
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
  return parts.change(context, async (work) => {
    if (begun === undefined && !(await beginTrial(work, clusterUid, trial))) return { stale: true };
    if (!(await parts.authorities.stillSigns(work, [signedBy]))) return { stale: true };
    await insertLicences(work, [issued]);
    return { issued: [issued] };
  });
}

function productsWith(products: Products, features: readonly string[]): Product[] {
  return [...products.values()].filter((product) =>
    features.length === 0 || features.some((feature) => product.features.includes(feature)));
}

function trialFrom(now: Date): Trial {
  const startsAt = new Date(Math.floor(now.getTime() / 1000) * 1000);
  return { startsAt, endsAt: new Date(startsAt.getTime() + trialMs) };
}

/** @returns false when another call has begun the trial of the cluster meanwhile */
async function beginTrial(queryable: Queryable, clusterUid: string, { startsAt, endsAt }: Trial): Promise<boolean> {
  const inserted = await queryable.execute(sql`
    insert into trial (cluster_uid, started_at, ends_at) values (${clusterUid}::uuid, ${startsAt}, ${endsAt})
        on conflict (cluster_uid) do nothing`);
  return inserted === 1;
}
