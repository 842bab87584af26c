import { Fault } from '@platform/faults';
import { createLimiter, currentParty, type Deadline, type Metrics, noMetrics } from '@platform/service';

/** Maximum number of licences that are signed at the same time. Each signature takes milliseconds of CPU. */
const atOnce = 2;
/** Maximum number of licences in progress for one account. This is enough for two installers of the largest size. */
const mostOfAccount = 400;

/**
 * Limits the signing of licences. Accounts take turns, and the number of licences in progress is limited for each
 * account (open-points 1.9).
 */
export interface Signatures {
  /**
   * Runs work that signs `count` licences.
   * @throws Fault RATE_LIMITED when the account would have too many licences in progress
   */
  reserve<Result>(count: number, work: () => Promise<Result>): Promise<Result>;
  /**
   * Signs one licence, when it is the account's turn.
   * @throws DeadlineExceeded if the deadline expires or the caller disconnects before the turn; the error of `sign`
   */
  take<Result>(deadline: Deadline, sign: () => Promise<Result>): Promise<Result>;
}

export function createSignatures(metrics: Metrics = noMetrics): Signatures {
  const limiter = createLimiter(atOnce, 'the signature of a licence');
  const made = metrics.counter({
    name: 'license_signatures_total', help: 'Licences that were signed, whether or not they reached a client.',
  });
  /** Number of licences in progress, by account. */
  const underWay = new Map<string, number>();

  function change(party: string, by: number): void {
    const count = (underWay.get(party) ?? 0) + by;
    if (count === 0) underWay.delete(party);
    else underWay.set(party, count);
  }

  return {
    reserve: async (count, work) => {
      const party = currentParty();
      if ((underWay.get(party) ?? 0) + count > mostOfAccount) {
        const message = `the account would have more than ${mostOfAccount} licences in progress, try again later`;
        throw new Fault('RATE_LIMITED', message, { retryAfterSeconds: 1 });
      }
      change(party, count);
      try {
        return await work();
      } finally {
        change(party, -count);
      }
    },
    take: (deadline, sign) => limiter.run(deadline, async () => {
      const signed = await sign();
      made.add({});
      return signed;
    }),
  };
}
