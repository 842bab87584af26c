import type { ServerResponse } from 'node:http';

/** The client disconnected before it received the answer. */
export class CallerGone extends Error {
  override readonly name = 'CallerGone';
}

/** The signal aborts when the client disconnects before it has the whole answer; at once if it already has. */
export function whenGone(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  if (response.destroyed) gone.abort();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}
