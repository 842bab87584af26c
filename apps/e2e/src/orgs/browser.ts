import type { TestSmtp } from '@platform/mail/fixtures';
import { type HttpAnswer, until } from '@platform/testing';
import type { World } from './world.ts';

/** A browser of a spec: it keeps cookies, and sends what pages of the platform send. */
export interface Browser {
  readonly cookies: Map<string, string>;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<HttpAnswer>;
  post(path: string, json?: object): Promise<HttpAnswer>;
}

/** @param baseUrl under which people reach the platform */
export function openBrowser({ nobody }: Pick<World, 'nobody'>, baseUrl: string): Browser {
  const cookies = new Map<string, string>();
  const send = async (method: string, path: string, json?: object, more = {}): Promise<HttpAnswer> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = {
      'origin': baseUrl, 'sec-fetch-site': 'same-origin', ...(cookie !== '' && { cookie }), ...more,
    };
    const answer = await nobody.send(method, path, { headers, ...(json && { json }) });
    for (const line of answer.headerValues('set-cookie')) {
      const [, name, value, attributes] = /^([\w-]+)=([^;]*);(.*)$/.exec(line)!;
      if (attributes!.includes('Max-Age=0')) cookies.delete(name!);
      else cookies.set(name!, value!);
    }
    return answer;
  };
  return {
    cookies,
    get: (path, headers = {}) => send('GET', path, undefined, headers),
    post: (path, json = {}) => send('POST', path, json),
  };
}

/** What a mail says: its text, as a reader sees it. */
export function textOf(raw: string): string {
  return raw.replaceAll('=\r\n', '').replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}

/** The code behind `#{kind}=` in the newest mail to an address that is no older than the `after`th. */
export async function codeIn(smtp: TestSmtp, email: string, kind: string, after = 0): Promise<string> {
  const find = () => smtp.taken.filter(({ to }) => to.includes(email))
    .map(({ raw }) => new RegExp(`#${kind}=([0-9a-f]{40})`).exec(textOf(raw))?.[1])
    .filter((code) => code !== undefined)[after];
  await until(() => find() !== undefined, { within: 30_000, what: `a link ${kind} reaches ${email}` });
  return find()!;
}
