import { createOutbound, readBounded } from '@platform/outbound';
import type { Deadline } from '@platform/service';

const mostBytes = 16 * 1024;
/** The operator sets the address of the central server. So the address may be in any network. */
const outbound = createOutbound({ allowed: ['0.0.0.0/0', '::/0'] });

/**
 * Asks the central server about a claim (open-points 11.8).
 * @throws Error if the server cannot be reached or its answer is invalid; DeadlineExceeded
 */
export async function askCentral(
  baseUrl: string, claimId: string, deadline: Deadline,
): Promise<'claimable' | 'not claimable' | 'claimed'> {
  const url = `${baseUrl}/marketplace/api/v1/marketplaces/standalone-organizations/${claimId}/claimable`;
  const { status, body } = await outbound.send(url, { deadline, headers: { accept: 'application/json' } });
  if (status !== 200) body.destroy();
  if (status === 409) return 'claimed';
  if (status === 404) return 'not claimable';
  if (status !== 200) throw new Error(`the central marketplace server answered with status ${status}`);
  const answer = JSON.parse((await readBounded(body, mostBytes)).toString()) as { isClaimable?: unknown } | null;
  if (typeof answer?.isClaimable !== 'boolean') {
    throw new Error('the central marketplace server sent an invalid answer about the claim');
  }
  return answer.isClaimable ? 'claimable' : 'not claimable';
}
