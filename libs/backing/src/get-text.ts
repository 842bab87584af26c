import { get as getHttp, type IncomingMessage } from 'node:http';
import { get as getHttps } from 'node:https';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/**
 * Sends one GET request on a new connection. Follows no redirects. Does not use `fetch`, because loading it slows the
 * start of a command.
 * @throws the error of the request
 */
export async function getText(
  url: string, options: { readonly headers?: Readonly<Record<string, string>>; readonly signal: AbortSignal },
): Promise<{ status: number; text: string }> {
  const get = new URL(url).protocol === 'https:' ? getHttps : getHttp;
  const request = get(url, { ...options, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { status: response.statusCode!, text: await text(response) };
}
