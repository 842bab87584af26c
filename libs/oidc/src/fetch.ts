import {
  AddressRefused, AnswerTooLarge, createOutbound, type Outbound, readBounded, Unreachable,
} from '@platform/outbound';
import { type Deadline, isLoopbackHost, Unavailable } from '@platform/service';
import type { CustomFetch } from 'openid-client';

/** Maximum size of a provider's answer, in bytes. Metadata, keys and tokens are much smaller. */
const mostBytes = 1024 * 1024;

/** Returns whether an address is plain HTTP to this machine, which is permitted only for development. */
export function isLoopbackAddress(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && isLoopbackHost(hostname);
}

/**
 * Returns the client for requests to a provider. Private networks are permitted, because the operator configures the
 * issuer. The client still checks every address, because the metadata of the provider names further addresses.
 */
export function providerOutbound(withLoopback: boolean): Outbound {
  return createOutbound({ privateNetworks: true, ...(withLoopback && { allowed: ['127.0.0.0/8', '::1/128'] }) });
}

/**
 * Returns the `fetch` function for openid-client. All its requests share one deadline.
 * @throws by the returned function: Unavailable, also for an answer with status 429 or 5xx; DeadlineExceeded
 */
export function fetchThrough(outbound: Outbound, withLoopback: boolean, deadline: Deadline): CustomFetch {
  return async (address, { method, headers, body }) => {
    if (new URL(address).protocol !== 'https:' && !(withLoopback && isLoopbackAddress(address))) {
      throw new Unavailable('an address of the provider is not https', { cause: new Error(address) });
    }
    try {
      const sent = body === undefined || body === null ? {} : { body: bytesOf(body) };
      const answer = await outbound.send(address, { method, headers: { ...headers }, ...sent, deadline });
      const content = await readBounded(answer.body, mostBytes);
      if (answer.status >= 500 || answer.status === 429) {
        throw new Unavailable(`the provider failed with status ${answer.status}`, { cause: new Error(address) });
      }
      const isEmpty = answer.status === 204 || answer.status === 304;
      const lines = Object.entries(answer.headers).flatMap(([name, value]) =>
        (typeof value === 'string' ? [[name, value] as [string, string]] : []));
      return new Response(isEmpty ? null : Uint8Array.from(content), { status: answer.status, headers: lines });
    } catch (cause) {
      if (cause instanceof AddressRefused || cause instanceof Unreachable || cause instanceof AnswerTooLarge) {
        throw new Unavailable('the request to the provider failed', { cause });
      }
      throw cause;
    }
  };
}

function bytesOf(body: NonNullable<Parameters<CustomFetch>[1]['body']>): string | Uint8Array {
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError('openid-client sends an unsupported kind of body');
}
