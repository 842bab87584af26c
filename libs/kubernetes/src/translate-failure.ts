import { ApiException } from '@kubernetes/client-node';
import { deadlineExceeded, Fault, unavailable } from '@platform/faults';
import { AddressRefused, Unreachable } from '@platform/outbound';
import { certificateProblem } from './certificate-problem.ts';
import { missingRight } from './missing-right.ts';

/** The cluster answers that it cannot serve now, or asks for a pause. */
const busy = new Set([429, 503]);
/** Answers about the objects themselves, which callers handle: missing, in conflict, a list that expired, invalid. */
const ofCallers = new Set([404, 409, 410, 422]);
/** The longest pause that is passed on, in seconds. */
const longestPause = 3_600;

/** The fault for a failed call to a cluster (open-points 12.5). An {@link ApiException} that callers handle stays. */
export function translateFailure(error: unknown, signal: AbortSignal): unknown {
  if (error instanceof ApiException) return translateAnswer(error as ApiException<unknown>);
  if (error instanceof Fault) return error;
  if (signal.aborted) return deadlineExceeded(error);
  const { cause } = error as { cause?: { code?: unknown } };
  if ([error, cause].some((one) => one instanceof AddressRefused || one instanceof Unreachable)) {
    return unavailable('the cluster', error);
  }
  const certificate = certificateProblem(error);
  if (certificate !== undefined) return new Fault('BAD_UPSTREAM', certificate.message, { cause: error });
  const code = cause?.code ?? (error as { code?: unknown }).code;
  // Without a code of the network it is an answer that the library could not read.
  if (typeof code === 'string') return unavailable('the cluster', error);
  return new Fault('BAD_UPSTREAM', 'the cluster gave an answer that cannot be read', { cause: error });
}

function translateAnswer(error: ApiException<unknown>): unknown {
  const { code, body, headers } = error;
  if (ofCallers.has(code)) return error;
  if (busy.has(code)) {
    const retryAfterSeconds = pauseOf(headers['retry-after']);
    return new Fault('UNAVAILABLE', 'the cluster is busy, try again', { retryAfterSeconds, cause: causeOf(code) });
  }
  // etcd refuses an object above 1.5 MiB, and the API server passes that on as its own failure.
  if (code === 413 || (typeof body === 'string' && body.includes('request is too large'))) {
    return new Fault('BODY_TOO_LARGE', 'the cluster does not store an object of this size', { cause: causeOf(code) });
  }
  if (code === 401) {
    const message = 'the cluster does not accept the credentials of its kubeconfig; import it again with others';
    return new Fault('BAD_UPSTREAM', message, { cause: causeOf(code) });
  }
  const right = code === 403 ? missingRight(body) : undefined;
  if (right === undefined) return badAnswer(code);
  const message = `the credentials of the cluster's kubeconfig may not ${right}; `
    + 'grant that with a role of the cluster, or import it again with others';
  return new Fault('BAD_UPSTREAM', message, { cause: causeOf(code) });
}

/** The status of an answer that {@link translateFailure} has left to the callers. */
export function codeOf(error: unknown): number | undefined {
  return error instanceof ApiException ? error.code : undefined;
}

/** Undefined for an object or kind that is not there. @throws what {@link unexpected} returns for anything else */
export function unlessMissing(error: unknown): undefined {
  if (codeOf(error) === 404) return undefined;
  throw unexpected(error);
}

/** An answer that means nothing to the call that got it: any server may be imported, and answer anything. */
export function unexpected(error: unknown): unknown {
  return error instanceof ApiException ? badAnswer(error.code) : error;
}

function badAnswer(code: number): Fault {
  return new Fault('BAD_UPSTREAM', `the cluster answered with status ${code}`, { cause: causeOf(code) });
}

function pauseOf(header: string | undefined): number {
  const seconds = Number(header);
  return Number.isInteger(seconds) && seconds >= 1 && seconds <= longestPause ? seconds : 1;
}

/** The library's exception quotes headers and body of the answer, which may hold secrets. */
function causeOf(code: number): Error {
  return new Error(`status ${code}`);
}
