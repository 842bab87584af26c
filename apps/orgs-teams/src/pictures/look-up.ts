import { createHash } from 'node:crypto';
import { Fault, unavailable } from '@platform/faults';
import { AddressRefused, AnswerTooLarge, createOutbound, readBounded, Unreachable } from '@platform/outbound';
import { type Deadline, shrink } from '@platform/service';
import { UnusablePicture } from './images.ts';

const mostMilliseconds = 5_000;

/** Allows private addresses too, because the operator sets the address of the avatar service. */
const outbound = createOutbound({ allowed: ['0.0.0.0/0', '::/0'] });

/**
 * Fetches the picture of an e-mail address from `{service}/{hash}` (open-points 3.1). The hash is SHA-256 of the
 * address in lower case. Gravatar and Libravatar accept this hash.
 * @param service setting `avatars.lookupURL`
 * @throws UnusablePicture when the service has no picture; Fault BAD_UPSTREAM or UNAVAILABLE, DeadlineExceeded
 */
export async function lookUpPicture(
  service: string, email: string, mostBytes: number, deadline: Deadline,
): Promise<Buffer> {
  const hash = createHash('sha256').update(email.trim().toLowerCase()).digest('hex');
  const address = `${service.replace(/\/+$/, '')}/${hash}?s=512&d=404`;
  try {
    const { status, body } = await outbound.send(address, { deadline: shrink(deadline, mostMilliseconds) });
    if (status === 200) return await readBounded(body, mostBytes);
    body.destroy();
    if (status === 404 || (status >= 300 && status < 400)) {
      throw new UnusablePicture('must be an e-mail address with a picture at the avatar service');
    }
    throw new Fault('BAD_UPSTREAM', `the avatar service answered with status ${status}`);
  } catch (error) {
    if (error instanceof AnswerTooLarge) throw new Fault('BAD_UPSTREAM', `the avatar service: ${error.message}`);
    if (error instanceof AddressRefused || error instanceof Unreachable) throw unavailable('the avatar service', error);
    throw error;
  }
}
