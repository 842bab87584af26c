import { status as Code } from '@grpc/grpc-js';
import { remaining, shrink } from '@platform/service';
import { failed, lossOf } from '../faults/status.ts';
import { mostJoinedBytes } from '../wire/joined.ts';
import { NotJoined } from './joined-client.ts';
import { asItIs, metadataOf, type Outgoing, type Replica } from './replica.ts';

/** A unary call, encoded once for all replicas. */
export interface OutgoingUnary extends Outgoing {
  readonly request: Buffer;
}

/** The longest time a timer of Node takes, in milliseconds. */
const longestTimeoutMs = 2 ** 31;

/** Calls a unary method, joined with others where the replica takes joined calls. @throws ServiceError */
export async function send(replica: Replica, outgoing: OutgoingUnary): Promise<Buffer> {
  const { joined } = replica;
  const { context, ...call } = outgoing;
  // The caller may have gone while the connection was made; its signal fires only once.
  if (context.cancelled?.aborted) throw failed(Code.CANCELLED, 'cancelled');
  const timeoutMs = remaining(shrink(context.deadline));
  if (joined?.isTaken && call.request.length <= mostJoinedBytes && timeoutMs < longestTimeoutMs) {
    try {
      return await joined.call({ ...call, timeoutMs, cancelled: context.cancelled });
    } catch (error) {
      if (!(error instanceof NotJoined)) throw error;
    }
  }
  return sendAlone(replica, outgoing, timeoutMs);
}

/** Calls a unary method by itself. @throws ServiceError */
export function sendAlone(replica: Replica, outgoing: OutgoingUnary, timeoutMs: number): Promise<Buffer> {
  const { path, request, context, told } = outgoing;
  return new Promise((resolve, reject) => {
    const { cancelled } = context;
    const cancel = () => call.cancel();
    const call = replica.client.makeUnaryRequest(
      path,
      asItIs,
      asItIs,
      request,
      metadataOf(replica, outgoing),
      { deadline: Date.now() + timeoutMs },
      (error, response) => {
        cancelled?.removeEventListener('abort', cancel);
        if (error) reject(lossOf(error, cancelled?.aborted === true));
        else resolve(response!);
      },
    );
    if (told !== undefined) {
      // It comes before the callback is called.
      call.on('status', ({ metadata }) => {
        for (const [key, value] of Object.entries(metadata.getMap())) told(key, String(value));
      });
    }
    cancelled?.addEventListener('abort', cancel, { once: true });
  });
}
