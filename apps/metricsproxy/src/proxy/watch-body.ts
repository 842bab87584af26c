import type { IncomingMessage, ServerResponse } from 'node:http';
import { Fault } from '@platform/faults';
import { isArriving, type Limits } from '@platform/http';

/** A request body that is passed on while it arrives. The limits of open-points 1.9 apply to the body. */
interface WatchedBody {
  /** Aborts when the body is too large or too slow. The reason of the abort is a Fault. */
  readonly signal: AbortSignal;
  /** @throws Fault BODY_TOO_LARGE when the announced length of the body is too large */
  refuseAnnounced(): void;
  /** Starts to count the bytes of the body. Call it right before the body is passed on. */
  count(): void;
}

export function watchBody(
  request: IncomingMessage, response: ServerResponse, { body: most, bodyMs }: Pick<Limits, 'body' | 'bodyMs'>,
): WatchedBody {
  const refused = new AbortController();
  const tooLarge = () => new Fault('BODY_TOO_LARGE', `a body may have up to ${most} bytes`);
  if (isArriving(request)) {
    const timer = setTimeout(() => {
      if (isArriving(request)) refused.abort(new Fault('REQUEST_TIMEOUT', 'the body did not arrive in time'));
    }, bodyMs);
    response.once('close', () => clearTimeout(timer));
  }
  return {
    signal: refused.signal,
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
