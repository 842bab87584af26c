import { createHash } from 'node:crypto';
import { Fault, unavailable } from '@platform/rpc';
import { type Deadline, DeadlineExceeded, shrink } from '@platform/service';
import { UnusablePicture } from './images.ts';

const mostMilliseconds = 5_000;

/**
 * Asks an outside service for the picture of an e-mail address (open-points 3.1): `{service}/{hash}`, the hash being
 * SHA-256 of the address in lower case, which Gravatar and Libravatar both know. It is followed nowhere else.
 * @param service setting `avatars.lookupURL`
 * @throws UnusablePicture when it has none; Fault BAD_UPSTREAM or UNAVAILABLE, DeadlineExceeded
 */
export async function lookUpPicture(
  service: string,
  email: string,
  mostBytes: number,
  deadline: Deadline,
): Promise<Buffer> {
  const hash = createHash('sha256').update(email.trim().toLowerCase()).digest('hex');
  const { signal } = shrink(deadline, mostMilliseconds);
  try {
    const address = `${service.replace(/\/+$/, '')}/${hash}?s=512&d=404`;
    const response = await fetch(address, { redirect: 'manual', signal });
    if (response.status === 404 || (response.status >= 300 && response.status < 400)) {
      await response.body?.cancel();
      throw new UnusablePicture('must be an address that the avatar service has a picture for');
    }
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new Fault('BAD_UPSTREAM', `the avatar service answered with status ${response.status}`);
    }
    return await readBounded(response, mostBytes);
  } catch (error) {
    if (error instanceof Fault || error instanceof UnusablePicture) throw error;
    if (signal.aborted) throw new DeadlineExceeded('the avatar service');
    throw unavailable('the avatar service', error);
  }
}

async function readBounded({ body }: Response, mostBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > mostBytes) throw new Fault('BAD_UPSTREAM', 'the picture of the avatar service is too large');
  }
  return Buffer.concat(chunks);
}
