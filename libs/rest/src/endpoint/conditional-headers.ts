import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Fault } from '@platform/faults';
import { type Query, tokenParameters } from '@platform/http';
import { listenerPrefix, Makes, type Method, takesRevision } from '@platform/surface';

/** The result of reading `If-Match` and `Idempotency-Key` (open-points 18.8). */
interface ConditionalHeaders {
  /**
   * Hash of `Idempotency-Key`, verb, path, and query without tokens. Undefined if this header is missing or ignored, or
   * if there is a `fault`.
   */
  readonly key: Buffer | undefined;
  readonly fault: Fault | undefined;
}

export type ReadConditionalHeaders = (request: IncomingMessage, path: string, query: Query) => ConditionalHeaders;

const none: ConditionalHeaders = { key: undefined, fault: undefined };
const longestKey = 255;

/**
 * Compiles how a method reads `If-Match` and `Idempotency-Key`. A header without effect on the method is refused,
 * because the client may rely on the header. The marketplace listener ignores both headers, because marketplaces
 * decide what they send.
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
    if (request.headersDistinct['idempotency-key']!.length > 1) return refused('Idempotency-Key is repeated');
    if (typeof key !== 'string' || key.length > longestKey || !/^[\x20-\x7e]+$/.test(key)) {
      return refused(`Idempotency-Key must be 1 to ${longestKey} printable ASCII characters`);
    }
    const about = JSON.stringify([http!.verb, path, query.without(tokenParameters), key]);
    return { key: createHash('sha256').update(about).digest(), fault: undefined };
  };
}

/** Header that marks the stored answer to an earlier request (open-points 18.8). */
export const replayed: [string, string] = ['Idempotent-Replayed', 'true'];

function refused(message: string): ConditionalHeaders {
  return { key: undefined, fault: new Fault('INVALID_PARAMETER', message) };
}
