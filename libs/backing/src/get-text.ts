import { get as getHttp, type IncomingMessage } from 'node:http';
import { get as getHttps } from 'node:https';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

export interface GetOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/**
 * Sends one GET on a new connection, without following redirects. Not `fetch`: loading it takes a command more time
 * than all its calls.
 * @throws the error of the connection
 */
export async function getText(url: string, options: GetOptions): Promise<{ status: number; text: string }> {
  const get = new URL(url).protocol === 'https:' ? getHttps : getHttp;
  const request = get(url, { ...options, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { status: response.statusCode!, text: await text(response) };
}
