import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Fault } from '@platform/faults';
import { type Query, tokenParameters } from '@platform/http';
import type { RepeatKey } from '@platform/rpc';
import { listenerPrefix, Makes, type Method, takesRevision } from '@platform/surface';

/** The headers by which a request depends on earlier ones (open-points 18.8). */
export interface ConditionalHeaders {
  /** The key of a request that may be repeated, without the hash of its body. */
  readonly key: Buffer | undefined;
  /** What is wrong with the headers. */
  readonly fault: Fault | undefined;
}

/** Reads the headers of one method. */
export type ReadConditionalHeaders = (request: IncomingMessage, path: string, query: Query) => ConditionalHeaders;

const none: ConditionalHeaders = { key: undefined, fault: undefined };
const longestKey = 255;

/**
 * Where a header would be without effect it is refused, so that nobody relies on it. Marketplaces are not refused: what
 * their notifications carry is not for us to choose.
 */
export function compileConditionalHeaders(method: Method): ReadConditionalHeaders {
  const { rest, http } = method;
  const takesKey = rest.makes !== Makes.UNSPECIFIED;
  const takesMatch = takesRevision(method);
  if (http?.template.startsWith(listenerPrefix)) return () => none;
  return (request, path, query) => {
    const { headers } = request;
    if (headers['if-match'] !== undefined && !takesMatch) return refused('If-Match has no effect here');
    const key = headers['idempotency-key'];
    if (key === undefined) return none;
    if (!takesKey) return refused('Idempotency-Key has no effect here');
    if (request.headersDistinct['idempotency-key']!.length > 1) return refused('Idempotency-Key is given twice');
    if (typeof key !== 'string' || key.length > longestKey || !/^[\x20-\x7e]+$/.test(key)) {
      return refused(`Idempotency-Key must be 1 to ${longestKey} printable characters of ASCII`);
    }
    return { key: digestOf([http!.verb, path, query.without(tokenParameters), key]), fault: undefined };
  };
}

/** Marks a kept answer (open-points 18.8). */
export const replayed: [string, string] = ['Idempotent-Replayed', 'true'];

/** A key with the body of its request. */
export function repeatKey(key: Buffer | undefined, body: Buffer | undefined): RepeatKey | undefined {
  return key && body && { key, body };
}

function digestOf(parts: readonly unknown[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}

function refused(message: string): ConditionalHeaders {
  return { key: undefined, fault: new Fault('INVALID_PARAMETER', message) };
}
