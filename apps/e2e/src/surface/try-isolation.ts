import type { HttpAnswer, HttpClient } from '@platform/testing';
import { type ExampleRequest, requestOf } from '../examples/call-example.ts';
import type { Name } from '../examples/names.ts';
import type { Case } from './cases.ts';
import type { ForeignCall } from './foreign-names.ts';

/** Members of their own organization who make calls on things of another one; `nobody` is not a member. */
const attackers = ['owner', 'viewer', 'system admin', 'nobody'] as const;

/** Who attacks whom. */
export interface Attack {
  readonly http: HttpClient;
  readonly tokens: Readonly<Record<(typeof attackers)[number], string | undefined>>;
  /** Rows of the other organizations that have changed since the last call, in every service; undefined if none has. */
  changes(): Promise<string | undefined>;
}

/** Makes calls on things of others, and on missing things. Returns differences of the answers, and changed rows. */
export async function tryIsolation(attack: Attack, one: Case, calls: readonly ForeignCall[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const call of calls) {
    for (const what of await differencesOf(attack, one, call)) wrong.push(`${call.name}: ${what}`);
  }
  const changed = await attack.changes();
  if (changed !== undefined) wrong.push(`rows of others have changed: ${changed}`);
  return wrong;
}

async function differencesOf({ http, tokens }: Attack, { method, example }: Case, call: ForeignCall) {
  const there = await requestOf(method, example, call.there);
  const nowhere = await requestOf(method, example, call.nowhere);
  const send = ({ verb, target, options }: ExampleRequest, token: string | undefined) =>
    (token === undefined ? http : http.with({ authorization: `token ${token}` })).send(verb, target, options);
  const found = await Promise.all(attackers.map(async (attacker) => {
    const answer = await send(there, tokens[attacker]);
    const onThere = shown(answer, call.differs.map(([one]) => one));
    const onNowhere = shown(await send(nowhere, tokens[attacker]), call.differs.map(([, one]) => one));
    if (onThere !== onNowhere) return [`${attacker}: ${onThere}\ninstead of: ${onNowhere}`];
    return answer.status >= 500 ? [`${attacker}: ${answer.status}`] : [];
  }));
  return found.flat();
}

/** An answer without its request id and the names that the caller gave; a success also without new ids, times, keys. */
function shown(answer: HttpAnswer, given: readonly Name[]): string {
  const requestId = answer.header('x-request-id')!;
  const hidden = (shownText: string) => given.reduce<string>(
    (text, name) => text.replaceAll(new RegExp(String.raw`\b${String(name)}\b`, 'gi'), '{given}'),
    shownText.replaceAll(requestId, '{request}'),
  );
  // A given name may be a part of the name of a header, such as `www`, or of a fixed value, such as `default-src`.
  const headers = answer.headers
    .filter(([name]) => !/^(?:date|x-request-id|content-length|ratelimit.*)$/i.test(name))
    .map(([name, value]) => `${name.toLowerCase()}: ${/^(?:location|link|content-disposition)$/i.test(name) ? hidden(value) : value}`);
  const text = [answer.status, ...headers, hidden(answer.text)].join('\n');
  if (answer.status >= 400) return text;
  return text
    .replaceAll(/("(?:id|\w*I[Dd])":)[1-9][0-9]*/g, '$1{id}')
    .replaceAll(/("(?:busPubKey|creds|secret)":)"[^"]*"/g, '$1{key}')
    .replaceAll(/("\w*(?:At|Unix)":)[1-9][0-9]*|\d{4}-\d\d-\d\dT[\d:]+Z/g, '$1{time}');
}
