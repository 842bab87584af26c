import { type RequestContext, ResponseContext, wrapHttpLibrary } from '@kubernetes/client-node';
import { countValues } from '@platform/values';
import { type Dispatcher, request } from 'undici';
import { Fault } from '@platform/faults';

/** Maximum bytes of an answer. A page of 500 objects has a few MiB. */
const mostAnswerBytes = 32 * 1_024 * 1_024;
/** Maximum number of JSON values in an answer. A page of 500 objects has about 100,000. */
const mostValues = 2_000_000;

/**
 * Sends the requests of @kubernetes/client-node. Users can import any server as a cluster, so answers are not trusted.
 * The size of an answer is limited. Redirects are not followed, because they could lead to servers that the user cannot
 * reach. Compression is not requested, so the maximum size also limits the memory.
 */
export const boundedHttp = wrapHttpLibrary({
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
      // A server may close an idle connection just when a request is sent on it. Repeating a GET does no harm.
      if (method !== 'GET' || !wasReset(error)) throw error;
      return send();
    });
    const bytes = await readBounded(body);
    return new ResponseContext(statusCode, textsOf(headers), {
      text: async () => bytes.toString('utf8'), binary: async () => bytes, stream: () => null,
    });
  },
});

function wasReset(error: unknown): boolean {
  return ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes((error as { code?: string }).code ?? '');
}

async function readBounded(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let [bytes, values] = [0, 0];
  // An error in this loop ends the connection, so the rest of the answer is not received.
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
