import {
  type PromiseHttpLibrary, type RequestContext, ResponseContext, wrapHttpLibrary,
} from '@kubernetes/client-node';
import { countValues } from '@platform/values';
import { type Dispatcher, request } from 'undici';
import { Fault } from '@platform/faults';

/** The longest answer that is read. A page of 500 objects has a few MiB. */
const mostAnswerBytes = 32 * 1_024 * 1_024;
/** A page of 500 objects has some 100,000. */
const mostValues = 2_000_000;

/**
 * How the library's calls are sent. Any server may be imported, and answer anything: an answer is read up to a bound,
 * and a redirect is an answer like any other, because it could lead to servers that only this process reaches. No
 * compression is asked for, so the bound holds for what is kept in memory.
 */
const bounded: PromiseHttpLibrary = {
  send: async (context: RequestContext) => {
    const method = context.getHttpMethod() as Dispatcher.HttpMethod;
    const send = () => request(context.getUrl(), {
      method,
      headers: context.getHeaders(),
      body: context.getBody() as string | undefined ?? null,
      signal: context.getSignal() ?? null,
      dispatcher: context.getDispatcher()!,
    });
    const { statusCode, headers, body } = await send().catch((error: unknown) => {
      if (method !== 'GET' || !wasReset(error)) throw error;
      return send();
    });
    const bytes = await readBounded(body);
    return new ResponseContext(statusCode, textsOf(headers), {
      text: async () => bytes.toString('utf8'), binary: async () => bytes, stream: () => null,
    });
  },
};

export const boundedHttp = wrapHttpLibrary(bounded);

/**
 * The connection ended before an answer began. A server may close a connection that was kept just when a request is
 * sent on it, so what only reads is sent again, once.
 */
function wasReset(error: unknown): boolean {
  return ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes((error as { code?: string }).code ?? '');
}

/** @throws Fault BAD_UPSTREAM */
async function readBounded(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let [bytes, values] = [0, 0];
  // Leaving the loop ends the connection.
  for await (const chunk of body) {
    bytes += chunk.length;
    values += countValues(chunk);
    if (bytes > mostAnswerBytes || values > mostValues) throw tooLong();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export function tooLong(): Fault {
  return new Fault('BAD_UPSTREAM', 'the answer of the cluster is too long');
}

function textsOf(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
