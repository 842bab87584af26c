import { DeadlineExceeded, deadlineIn, pause, shrink } from '@platform/service';
import type { Parts } from '../parts.ts';
import { askCentral } from './ask-central.ts';
import { beginCheck, type CheckResult, endCheck, findCheck, isInUse } from './claim-checks.ts';

/** The result of an evaluation; `too early` if too little time has passed since the last evaluation. */
type Evaluated =
  | { readonly result: CheckResult }
  | { readonly result: 'too early'; readonly secondsLeft: number; readonly windowSeconds: number };

/** Time limit for the answer of the central marketplace server, in milliseconds (open-points 1.9). */
const centralMs = 10_000;
/** Time after which an evaluation without a result counts as abandoned, in milliseconds. */
const evaluationMs = 14_000;
/** How long a replica waits for an evaluation that another replica runs, in milliseconds. */
const waitMs = 20_000;
const pollMs = 100;

/** A claim id as logs show it. Anyone who knows the whole id could claim the organization. */
const shortened = (id: string) => id.slice(0, 8);

/**
 * Evaluates claims. While an evaluation runs, all callers for the same claim wait for its result, on all replicas
 * (open-points 11.5). The evaluation continues if its callers leave.
 */
export function createEvaluate(parts: Pick<Parts, 'config' | 'database' | 'claims' | 'service'>) {
  const { config, database, claims, service } = parts;
  const underWay = new Map<string, Promise<Evaluated>>();

  async function evaluate(id: string): Promise<Evaluated> {
    const deadline = deadlineIn(waitMs);
    let evaluation = await beginCheck(database, id, evaluationMs, deadline);
    for (let isFirst = true; evaluation === undefined; isFirst = false) {
      const { result, isGivenUp, secondsLeft, windowSeconds } = await findCheck(database, id, deadline);
      const isFinal = result === 'claimable' || result === 'claimed';
      if (result !== null) {
        return isFirst && !isFinal ? { result: 'too early', secondsLeft, windowSeconds } : { result };
      }
      if (isGivenUp) evaluation = await beginCheck(database, id, evaluationMs, deadline);
      else await pause(pollMs, deadline.signal);
    }
    return { result: await run(id, evaluation) };
  }

  async function run(id: string, evaluation: string): Promise<CheckResult> {
    const result = await decide(id).catch((error: unknown): CheckResult => {
      service.log.warn({ claim: shortened(id), error }, 'a claim could not be evaluated');
      return error instanceof DeadlineExceeded ? 'too slow' : 'failed';
    });
    await endCheck(database, evaluation, result, deadlineIn(evaluationMs));
    return result;
  }

  async function decide(id: string): Promise<CheckResult> {
    const deadline = deadlineIn(centralMs + 2_000);
    const { centralUrl } = config;
    const found = centralUrl === undefined
      ? (await isInUse(database, id, deadline)) ? 'claimable' : 'not claimable'
      : await askCentral(centralUrl, id, shrink(deadline, centralMs));
    if (found === 'claimable') {
      await claims.markClaimable({ claimId: id }, { deadline, requestId: `claim-${shortened(id)}` });
    }
    return found;
  }

  return (id: string): Promise<Evaluated> => {
    const running = underWay.get(id);
    if (running !== undefined) return running;
    const begun = evaluate(id).finally(() => underWay.delete(id));
    underWay.set(id, begun);
    return begun;
  };
}
