import type { ServerResponse } from 'node:http';

/** The client left before its request was complete: nobody waits for an answer. */
export class CallerGone extends Error {
  override readonly name = 'CallerGone';
}

/** Aborts when the client leaves before it has the whole answer; at once where it has left already. */
export function whenGone(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  if (response.destroyed) gone.abort();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}
