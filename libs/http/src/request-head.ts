import type { IncomingMessage } from 'node:http';
import { Fault } from '@platform/faults';
import { headersTooLarge, uriTooLong } from './http-server.ts';
import type { Limits } from './limits.ts';

/** Value of the header Host: a name, an address or nothing, and then an optional port (RFC 9112 §3.2). */
const hostForm = /^(?:\[[0-9A-Fa-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::[0-9]*)?$/;

/**
 * Checks the request line and the headers, beyond the checks of Node's parser. Returns a fault, or undefined if they
 * are valid.
 */
export function headFault(
  { url = '/', rawHeaders, headers, httpVersion }: IncomingMessage, limits: Limits,
): Fault | undefined {
  if (url.length > limits.url) return uriTooLong();
  const { bytes, hosts } = measure(rawHeaders);
  if (bytes > limits.headers) return headersTooLarge();
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return notUnderstood('only HTTP/1.0 and HTTP/1.1 are supported');
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) return notUnderstood('header Host is missing or repeated');
  if (headers.host !== undefined && !hostForm.test(headers.host)) return notUnderstood('Host is not a valid host');
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersion === '1.0')) {
    return notUnderstood('the only supported Transfer-Encoding is chunked, in HTTP/1.1');
  }
  return undefined;
}

function notUnderstood(message: string): Fault {
  return new Fault('INVALID_PARAMETER', message);
}

/** Returns the bytes of a header block (names, values and separators), and the number of Host headers. */
function measure(rawHeaders: readonly string[]): { bytes: number; hosts: number } {
  let [bytes, hosts] = [0, 0];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    bytes += name.length + rawHeaders[index + 1]!.length + 4;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return { bytes, hosts };
}

export interface RequestTarget {
  readonly path: string;
  /** The query, without the question mark. */
  readonly rawQuery: string;
}

/** Splits a request target. Leaves out scheme, authority and fragment of an absolute target (`http://host/path`). */
export function splitTarget(target: string): RequestTarget {
  const absolute = target.startsWith('/') ? null : /^https?:\/\/[^/?#]*(\/?)([^#]*)/i.exec(target);
  const origin = absolute ? `/${absolute[2]}` : target;
  const mark = origin.indexOf('?');
  return mark === -1
    ? { path: origin, rawQuery: '' }
    : { path: origin.slice(0, mark), rawQuery: origin.slice(mark + 1) };
}
