import {
  AddressRefused, AnswerTooLarge, createOutbound, type OutboundRequest, readBounded, Unreachable,
} from '@platform/outbound';
import { Fault, unavailable } from '@platform/faults';
import { type Deadline, type Secret, shrink } from '@platform/service';

/** One piece of work at a dashboard. */
export interface Call {
  readonly deadline: Deadline;
  /** Called before each request. @throws when the work belongs to somebody else by now */
  readonly beforeRequest: () => Promise<unknown>;
}

/** What a dashboard answered. */
export interface Reply {
  readonly status: number;
  /** Undefined where the body is no JSON object. */
  readonly json: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Sends one request. Each success has a JSON object, but for a removal with 204.
 * @throws Fault UNAVAILABLE, BAD_UPSTREAM, DeadlineExceeded
 */
export type Send = (
  call: Call, method: string, path: string, request?: { readonly json?: unknown; readonly accept?: readonly number[] },
) => Promise<Reply>;

/** One call to a dashboard (open-points 1.9). */
const longestCallMs = 10_000;
const largestAnswer = 1024 * 1024;

/** The operator names the address, so it may be in any network. */
const outbound = createOutbound({ allowed: ['0.0.0.0/0', '::/0'], keepAlive: true });

/**
 * How requests to a dashboard go. A status that is neither success nor in `accept` is a fault: UNAVAILABLE where trying
 * again helps (429, 503, nobody there), else BAD_UPSTREAM. What the dashboard says stays here.
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
      // Such as the page of a login in front of it.
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

/** The header of a credential: a Bearer token, or `user:password` (open-points 9.1). */
export function basicOrBearer(credential: Secret | undefined): string | undefined {
  if (credential === undefined) return undefined;
  const text = credential.reveal();
  return text.includes(':') ? `Basic ${Buffer.from(text).toString('base64')}` : `Bearer ${text}`;
}

/** A success that does not say what it must. */
export function nonsense(name: string): Fault {
  return new Fault('BAD_UPSTREAM', `${name} answered with something else than it should`);
}
