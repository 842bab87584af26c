import { ApiException } from '@kubernetes/client-node';
import { deadlineExceeded, Fault, unavailable } from '@platform/rpc';

/** The cluster answers that it cannot serve now, or asks for a pause. */
const busy = new Set([429, 503]);
/** Answers about the objects themselves, which callers handle. */
const ofCallers = new Set([404, 409]);

/** The fault for a failed call to a cluster (open-points 12.5). An {@link ApiException} for 404 and 409 stays. */
export function translateFailure(error: unknown, signal: AbortSignal): unknown {
  if (error instanceof ApiException) {
    const { code } = error as ApiException<unknown>;
    if (ofCallers.has(code)) return error;
    if (busy.has(code)) return unavailable('the cluster', causeOf(code));
    return new Fault('BAD_UPSTREAM', `the cluster answered with status ${code}`, { cause: causeOf(code) });
  }
  if (error instanceof Fault) return error;
  if (signal.aborted) return deadlineExceeded(error);
  const code = (error as { cause?: { code?: unknown } }).cause?.code ?? (error as { code?: unknown }).code;
  // Without a code of the network it is an answer that the library could not read.
  if (typeof code === 'string') return unavailable('the cluster', error);
  return new Fault('BAD_UPSTREAM', 'the cluster gave an answer that cannot be read', { cause: error });
}

/** The library's exception quotes headers and body of the answer, which may hold secrets. */
function causeOf(code: number): Error {
  return new Error(`status ${code}`);
}
