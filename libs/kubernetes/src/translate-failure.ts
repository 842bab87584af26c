import { ApiException } from '@kubernetes/client-node';
import { deadlineExceeded, Fault, unavailable } from '@platform/faults';
import { AddressRefused, Unreachable } from '@platform/outbound';
import { certificateProblem } from './certificate-problem.ts';

/** HTTP statuses after which the client should try again later. */
const busy = new Set([429, 503]);
/** HTTP statuses that callers handle: not found, conflict, expired list, invalid object. */
const ofCallers = new Set([404, 409, 410, 422]);
/** The longest accepted `Retry-After`, in seconds. A longer pause is replaced by one second. */
const longestPause = 3_600;
/** Matches the message with which Kubernetes refuses a request for lack of a right. */
const refusal = new RegExp('cannot ([a-z]+) resource "([a-z0-9-]+(?:/[a-z]+)?)" in API group "([a-z0-9.-]*)"'
  + '(?: in the namespace "([a-z0-9-]+)")?');
/** To put a cluster into a set, a client needs the right to create this subresource. The hub checks the right. */
const join = 'managedclustersets/join';

/**
 * Returns the fault for a failed call (open-points 12.5). Returns an {@link ApiException} unchanged if callers handle
 * its status.
 */
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
  // Network errors have a code. Any other error is taken for an answer that cannot be read.
  if (typeof code === 'string') return unavailable('the cluster', error);
  return new Fault('BAD_UPSTREAM', 'the answer of the cluster cannot be read', { cause: error });
}

function translateAnswer(error: ApiException<unknown>): unknown {
  const { code, body, headers } = error;
  if (ofCallers.has(code)) return error;
  if (busy.has(code)) {
    const retryAfterSeconds = pauseOf(headers['retry-after']);
    return new Fault('UNAVAILABLE', 'the cluster is busy, try again', { retryAfterSeconds, cause: causeOf(code) });
  }
  // If etcd refuses an object because of its size, only the text of the answer shows the reason.
  if (code === 413 || (typeof body === 'string' && body.includes('request is too large'))) {
    return new Fault('BODY_TOO_LARGE', 'the cluster does not store an object of this size', { cause: causeOf(code) });
  }
  if (code === 401) {
    return badAnswer(code, 'the cluster does not accept the credentials of its kubeconfig; '
      + 'import the cluster again with other credentials');
  }
  const right = code === 403 ? missingRight(body) : undefined;
  if (right === undefined) return badAnswer(code);
  return badAnswer(code, `the credentials of the cluster's kubeconfig may not ${right}; `
    + 'grant this right with a role of the cluster, or import the cluster again with other credentials');
}

/**
 * Returns the missing right that a 403 names, for example `list pods in namespace default`; otherwise undefined. Takes
 * only names from the message, because the server is not trusted.
 */
function missingRight(body: unknown): string | undefined {
  const message = readStatus(body).message?.slice(0, 2_000) ?? '';
  if (message.includes(join)) return `create ${join} of cluster.open-cluster-management.io`;
  const [, verb, resource, group = '', namespace] = refusal.exec(message) ?? [];
  if (verb === undefined) return undefined;
  return [
    `${verb} ${resource}`, ...(group === '' ? [] : [`of ${group}`]),
    ...(namespace === undefined ? [] : [`in namespace ${namespace}`]),
  ].join(' ');
}

/** Reads why the API server refused a call. The body may have any form, because the server is not trusted. */
export function readStatus(body: unknown): { readonly message?: string; readonly missingNamespace?: boolean } {
  try {
    const { message, details } = JSON.parse(String(body)) as { message?: unknown; details?: { kind?: unknown } | null };
    const missingNamespace = details?.kind === 'namespaces';
    return typeof message === 'string' ? { message, missingNamespace } : { missingNamespace };
  } catch {
    return {};
  }
}

/** Returns the status of an {@link ApiException}; undefined for any other error. */
export function codeOf(error: unknown): number | undefined {
  return error instanceof ApiException ? error.code : undefined;
}

/** Returns undefined for a 404. @throws the result of {@link unexpected} for any other error */
export function unlessMissing(error: unknown): undefined {
  if (codeOf(error) === 404) return undefined;
  throw unexpected(error);
}

/** Returns an {@link ApiException} as a fault about its unexpected status. Returns any other error unchanged. */
export function unexpected(error: unknown): unknown {
  return error instanceof ApiException ? badAnswer(error.code) : error;
}

function badAnswer(code: number, message = `the cluster answered with the unexpected status ${code}`): Fault {
  return new Fault('BAD_UPSTREAM', message, { cause: causeOf(code) });
}

function pauseOf(header: string | undefined): number {
  const seconds = Number(header);
  return Number.isInteger(seconds) && seconds >= 1 && seconds <= longestPause ? seconds : 1;
}

/** Returns an error with only the status. The library's exception also has headers and body, which may be secret. */
function causeOf(code: number): Error {
  return new Error(`status ${code}`);
}
