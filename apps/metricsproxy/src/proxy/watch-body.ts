import type { IncomingMessage, ServerResponse } from 'node:http';
import { Fault } from '@platform/faults';
import { isArriving, type Limits } from '@platform/http';

/** A request body that is passed on while it arrives. The limits of open-points 1.9 apply to the body. */
interface WatchedBody {
  /** @throws Fault BODY_TOO_LARGE when the announced length of the body is too large */
  refuseAnnounced(): void;
  /** Starts to count the bytes of the body. Call it right before the body is passed on. */
  count(): void;
}

/** @param refused is aborted with a Fault as its reason when the body is too large or too slow */
export function watchBody(
  request: IncomingMessage, response: ServerResponse, refused: AbortController,
  { body: most, bodyMs }: Pick<Limits, 'body' | 'bodyMs'>,
): WatchedBody {
  const tooLarge = () => new Fault('BODY_TOO_LARGE', `a body may have up to ${most} bytes`);
  if (isArriving(request)) {
    const timer = setTimeout(() => {
      if (isArriving(request)) refused.abort(new Fault('REQUEST_TIMEOUT', 'the body did not arrive in time'));
    }, bodyMs);
    response.once('close', () => clearTimeout(timer));
  }
  return {
    refuseAnnounced: () => {
      if (Number(request.headers['content-length'] ?? 0) > most) throw tooLarge();
    },
    count: () => {
      let length = 0;
      request.on('data', (bytes: Buffer) => {
        length += bytes.length;
        if (length > most) refused.abort(tooLarge());
      });
    },
  };
}
