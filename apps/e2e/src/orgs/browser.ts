import type { TestSmtp } from '@platform/mail/fixtures';
import { sql } from '@platform/postgres';
import { type HttpAnswer, until } from '@platform/testing';
import type { World } from './world.ts';

/** A browser of a spec: it keeps cookies and sends the headers that pages of the platform send. */
export interface Browser {
  readonly cookies: Map<string, string>;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<HttpAnswer>;
  post(path: string, json?: object): Promise<HttpAnswer>;
}

/** @param baseUrl public address of the platform */
export function openBrowser({ nobody }: Pick<World, 'nobody'>, baseUrl: string): Browser {
  const cookies = new Map<string, string>();
  const send = async (method: string, path: string, json?: object, more = {}): Promise<HttpAnswer> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { 'origin': baseUrl, 'sec-fetch-site': 'same-origin', ...(cookie !== '' && { cookie }), ...more };
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

/** Number of waiting and running jobs of a task of orgs-teams. */
export async function jobsOf({ database }: Pick<World, 'database'>, task: string): Promise<number> {
  return (await database.query(sql`
    select from _private_jobs join _private_tasks on _private_tasks.id = task_id where identifier = ${task}`)).length;
}

/** Decodes the text of a mail. */
export function textOf(raw: string): string {
  return raw.replaceAll('=\r\n', '').replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}

/** Returns the code after `#{kind}=` in the newest mail to an address. Skips the first `after` mails. */
export async function codeIn(smtp: TestSmtp, email: string, kind: string, after = 0): Promise<string> {
  const find = () => smtp.taken.filter(({ to }) => to.includes(email))
    .map(({ raw }) => new RegExp(`#${kind}=([0-9a-f]{40})`).exec(textOf(raw))?.[1])
    .filter((code) => code !== undefined)[after];
  await until(() => find() !== undefined, { within: 30_000, what: `a link ${kind} reaches ${email}` });
  return find()!;
}
