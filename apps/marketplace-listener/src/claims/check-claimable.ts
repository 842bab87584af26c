import { deadlineExceeded, Fault, internalFault } from '@platform/faults';
import type { ListenerServiceService } from '@platform/proto/marketplace/v1/listener';
import type { Handler } from '@platform/rpc';
import { within } from '@platform/service';
import type { Parts } from '../parts.ts';
import { createEvaluate } from './evaluate-claim.ts';

/** GET …/standalone-organizations/{claimID}/claimable (spec §4.9, open-points 11.5, 11.8). */
export function checkClaimable(parts: Parts): Handler<typeof ListenerServiceService.checkClaimable> {
  const { claims } = parts;
  const evaluate = createEvaluate(parts);
  return async ({ claimId }, context) => {
    const claim = await claims.getClaim({ claimId }, context);
    if (claim.claimed) throw alreadyClaimed();
    if (claim.claimable) return { isClaimable: true, claimId };
    const found = await within(context.deadline, evaluate(claimId), 'the evaluation of the claim');
    switch (found.result) {
      case 'claimable':
      case 'not claimable':
        return { isClaimable: found.result === 'claimable', claimId };
      case 'claimed':
        throw alreadyClaimed();
      case 'failed':
        throw internalFault(new Error('the claim could not be evaluated'));
      case 'too slow':
        throw deadlineExceeded();
      case 'too early':
        throw tooEarly(found);
    }
  };
}

function alreadyClaimed(): Fault {
  return new Fault('ALREADY_CLAIMED', 'this organization has been claimed already');
}

/** The refusal with the status 429, and with the headers of rate limits (open-points 1.9). */
function tooEarly({ secondsLeft, windowSeconds }: { secondsLeft: number; windowSeconds: number }): Fault {
  return new Fault('RETRY_BACKOFF', `this claim was checked recently, try again in ${secondsLeft} s`, {
    retryAfterSeconds: secondsLeft,
    metadata: {
      rateLimit: `"claimable-check";r=0;t=${secondsLeft}`,
      rateLimitPolicy: `"claimable-check";q=1;w=${windowSeconds}`,
    },
  });
}
