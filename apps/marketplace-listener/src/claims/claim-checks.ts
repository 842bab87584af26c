import { randomUUID } from 'node:crypto';
import { type Queryable, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';

/** The result of an evaluation of a claim. `claimable` and `claimed` are final: no further evaluation begins. */
export type CheckResult = 'claimable' | 'claimed' | 'not claimable' | 'failed' | 'too slow';

interface ClaimCheck {
  /** Null until the evaluation ends. */
  readonly result: CheckResult | null;
  readonly isGivenUp: boolean;
  /** Seconds until the next evaluation may begin, at least 1. Only valid if `result` is set and not final. */
  readonly secondsLeft: number;
  /** Minimum time from the end of this evaluation to the next evaluation, in seconds. */
  readonly windowSeconds: number;
}

/** Minimum time between the first and the second evaluation of a claim, in seconds (open-points 11.5). */
const firstWindow = 30;
/** The minimum time between evaluations doubles with each evaluation that ended, up to this number of seconds. */
const longestWindow = 600;

/**
 * Begins an evaluation of a claim and returns the id of the evaluation. Returns undefined if another evaluation runs or
 * ended less than `windowSeconds` ago, or if the last result is final. Of concurrent callers, only one begins an
 * evaluation. After `givesUpMs`, an evaluation without a result counts as abandoned, and another may begin.
 */
export async function beginCheck(
  queryable: Queryable, id: string, givesUpMs: number, deadline: Deadline,
): Promise<string | undefined> {
  const evaluation = randomUUID();
  const begun = await queryable.execute(sql`
    insert into claim_check as known (id, evaluation, gives_up_at, window_seconds)
    values (${id}, ${evaluation}, now() + make_interval(secs => ${givesUpMs / 1_000}), ${firstWindow})
    on conflict (id) do update
       set evaluation = excluded.evaluation,
           gives_up_at = excluded.gives_up_at,
           result = null,
           ended_at = null,
           window_seconds = case when known.result is null then known.window_seconds
                                 else least(2 * known.window_seconds, ${longestWindow}) end
     where known.result is null and known.gives_up_at <= now()
        or known.result not in ('claimable', 'claimed')
           and known.ended_at + make_interval(secs => known.window_seconds) <= now()`, { deadline });
  return begun > 0 ? evaluation : undefined;
}

/** The last evaluation of a claim. At least one evaluation must have begun. */
export async function findCheck(queryable: Queryable, id: string, deadline: Deadline): Promise<ClaimCheck> {
  return queryable.one(sql<ClaimCheck>`
    select result, result is null and gives_up_at <= now() as "isGivenUp",
           coalesce(
             greatest(1, ceil(extract(epoch from ended_at + make_interval(secs => window_seconds) - now()))), 0
           )::integer as "secondsLeft", window_seconds as "windowSeconds"
      from claim_check
     where id = ${id}`, { deadline });
}

/** Ends an evaluation. Does nothing if another evaluation has begun meanwhile. */
export async function endCheck(
  queryable: Queryable, evaluation: string, result: CheckResult, deadline: Deadline,
): Promise<void> {
  await queryable.execute(sql`
    update claim_check set result = ${result}, ended_at = now() where evaluation = ${evaluation}`, { deadline });
}

/**
 * Whether the installer of a claim is bound to a cluster and has a subscription in the state `Bounded` or `Running`
 * (open-points 11.5).
 */
export async function isInUse(queryable: Queryable, id: string, deadline: Deadline): Promise<boolean> {
  const { inUse } = await queryable.one(sql<{ inUse: boolean }>`
    select exists (
      select from installer
        join subscription on subscription.installer_id = installer.id
       where installer.claim_id = ${id} and installer.cluster_uid is not null
         and subscription.state in ('Bounded', 'Running')
    ) as "inUse"`, { deadline });
  return inUse;
}
