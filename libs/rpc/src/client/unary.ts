import { status as Code } from '@grpc/grpc-js';
import { remaining, shrink } from '@platform/service';
import { failed, lossOf } from '../faults/status.ts';
import { mostJoinedBytes } from '../wire/joined.ts';
import { NotJoined } from './joined-client.ts';
import type { Outgoing } from './outgoing.ts';
import { asItIs, metadataOf, type Replica } from './replica.ts';

/** A call with one request. The request is encoded once, even if several replicas are tried. */
export interface OutgoingUnary extends Outgoing {
  readonly request: Buffer;
}

/** Longest delay of a timer in Node, in milliseconds. */
const longestTimeoutMs = 2 ** 31 - 1;

/**
 * Calls a unary method. A small call is joined with other calls if the replica accepts joined calls (ADR 0070).
 * @throws ServiceError
 */
export async function send(replica: Replica, outgoing: OutgoingUnary): Promise<Buffer> {
  const { joined } = replica;
  const { context, ...call } = outgoing;
  // Check the signal first: if it has aborted before a listener is added, the listener is never called.
  if (context.cancelled?.aborted) throw failed(Code.CANCELLED, 'cancelled');
  const timeoutMs = remaining(shrink(context.deadline));
  if (joined?.isTaken && call.request.length <= mostJoinedBytes && timeoutMs <= longestTimeoutMs) {
    try {
      return await joined.call({ ...call, timeoutMs, cancelled: context.cancelled });
    } catch (error) {
      if (!(error instanceof NotJoined)) throw error;
    }
  }
  return sendAlone(replica, outgoing, timeoutMs);
}

/** Calls a unary method as a separate gRPC call. @throws ServiceError */
export function sendAlone(replica: Replica, outgoing: OutgoingUnary, timeoutMs: number): Promise<Buffer> {
  const { path, request, context: { cancelled }, told } = outgoing;
  return new Promise((resolve, reject) => {
    const cancel = () => call.cancel();
    const sent = metadataOf(replica, outgoing);
    const options = { deadline: Date.now() + timeoutMs };
    const call = replica.client.makeUnaryRequest(path, asItIs, asItIs, request, sent, options, (error, response) => {
      cancelled?.removeEventListener('abort', cancel);
      if (error) reject(lossOf(error, cancelled?.aborted === true));
      else resolve(response!);
    });
    if (told !== undefined) {
      // `told` receives the trailing metadata before the code that awaits this promise continues.
      call.on('status', ({ metadata }) => {
        for (const [key, value] of Object.entries(metadata.getMap())) told(key, String(value));
      });
    }
    cancelled?.addEventListener('abort', cancel, { once: true });
  });
}
