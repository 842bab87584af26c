import type { ServerResponse } from 'node:http';

/** The client disconnected before it received the answer. */
export class CallerGone extends Error {
  override readonly name = 'CallerGone';
}

/**
 * Returns a signal that aborts if the connection closes, or has closed, before the whole answer is sent.
 * @param gone the controller of the signal, which the caller may also abort for other reasons
 */
export function whenGone(response: ServerResponse, gone = new AbortController()): AbortSignal {
  if (response.destroyed) gone.abort();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}
