import {
  AddressRefused, AnswerTooLarge, createOutbound, type OutboundRequest, readBounded, Unreachable,
} from '@platform/outbound';
import { Fault, unavailable } from '@platform/faults';
import { type Deadline, type Secret, shrink } from '@platform/service';

/** Options for all requests that one registration or removal sends to a dashboard. */
export interface Call {
  readonly deadline: Deadline;
  /** Called before each request. @throws when another process has taken over the work */
  readonly beforeRequest: () => Promise<unknown>;
}

export interface Reply {
  readonly status: number;
  /** Undefined if the body is not a JSON object. */
  readonly json: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Sends one request. Returns a reply only for a 2xx status or a status in `accept`. A 2xx reply has a JSON object,
 * except the reply 204 to a DELETE.
 * @throws Fault UNAVAILABLE, BAD_UPSTREAM; DeadlineExceeded; the errors of `call.beforeRequest`
 */
export type Send = (
  call: Call, method: string, path: string, request?: { readonly json?: unknown; readonly accept?: readonly number[] },
) => Promise<Reply>;

/** Time limit of one request to a dashboard, in milliseconds (open-points 1.9). */
const longestCallMs = 10_000;
const largestAnswer = 1024 * 1024;

/** Allows private addresses too, because the operator sets the address of a dashboard. */
const outbound = createOutbound({ allowed: ['0.0.0.0/0', '::/0'], keepAlive: true });

/**
 * Returns a function that sends requests to a dashboard. The function throws UNAVAILABLE if the dashboard is not
 * reachable, and for the statuses 429 and 503. It throws BAD_UPSTREAM for other bad answers. The fault does not contain
 * the message of the dashboard.
 */
export function dashboardAt(url: string, name: string, authorization: () => string | undefined): Send {
  return async (call, method, path, { json, accept = [] } = {}) => {
    await call.beforeRequest();
    const body = json === undefined ? undefined : JSON.stringify(json);
    const signed = authorization();
    const headers = {
      'Accept': 'application/json',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
      ...(signed === undefined ? {} : { Authorization: signed }),
    };
    const deadline = shrink(call.deadline, longestCallMs);
    const request = { method, headers, deadline, ...(body === undefined ? {} : { body }) };
    const reply = await exchange(`${url}${path}`, name, request);
    const { status } = reply;
    if (accept.includes(status)) return reply;
    if (status >= 200 && status < 300) {
      // A success without a JSON object may be the login page of a proxy in front of the dashboard.
      if (reply.json === undefined && !(method === 'DELETE' && status === 204)) throw nonsense(name);
      return reply;
    }
    if (status === 429 || status === 503) throw unavailable(name);
    throw new Fault('BAD_UPSTREAM', `${name} answered with status ${status}`);
  };
}

async function exchange(address: string, name: string, request: OutboundRequest): Promise<Reply> {
  try {
    const { status, body } = await outbound.send(address, request);
    return { status, json: objectIn(await readBounded(body, largestAnswer)) };
  } catch (error) {
    if (error instanceof AnswerTooLarge) throw new Fault('BAD_UPSTREAM', `${name}: ${error.message}`);
    if (error instanceof AddressRefused || error instanceof Unreachable) throw unavailable(name, error);
    throw error;
  }
}

function objectIn(bytes: Buffer): Reply['json'] {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Reply['json']) : undefined;
  } catch {
    return undefined;
  }
}

/** Value of the header Authorization (open-points 9.1): Basic for `user:password`, else Bearer. */
export function basicOrBearer(credential: Secret | undefined): string | undefined {
  if (credential === undefined) return undefined;
  const text = credential.reveal();
  return text.includes(':') ? `Basic ${Buffer.from(text).toString('base64')}` : `Bearer ${text}`;
}

/** The fault for an answer that does not fit the API of the dashboard. */
export function nonsense(name: string): Fault {
  return new Fault('BAD_UPSTREAM', `${name} gave an unexpected answer`);
}
