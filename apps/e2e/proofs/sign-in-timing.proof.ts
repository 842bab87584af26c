import { randomBytes } from 'node:crypto';
import { sql } from '@platform/postgres';
import { type HttpAnswer, type ProofOptions, type ProofResult, seeded, type SeededRandom } from '@platform/testing';
import { keptBrowser, keptCode } from '../src/orgs/kept-codes.ts';
import { startWorld, type World } from '../src/orgs/world.ts';
import { organizationHosts } from '../src/platform.ts';

export const name = 'sign-in-timing';
export const describe = 'Sign-in by mail, links of mails and sign-up: neither status, body nor time shows whether an address has an account. '
  + '2,000 calls of each in random order; medians differ by at most 1 ms, and the bootstrap interval (99.9 %) contains 0.';
export const servers = true;

const whole = 2_000;
const mostMs = 1;
const resamples = 4_000;
/** Two-sided, with three comparisons per run: without a difference, one run in 300 fails. */
const confidence = 0.999;
const baseUrl = 'https://platform.example.org';

interface Kind {
  /** @param n number of the call, for unique addresses and names */
  readonly call: (isKnown: boolean, n: number) => Promise<HttpAnswer>;
}

export async function prove({ seed, share, report }: ProofOptions): Promise<ProofResult> {
  const calls = Math.max(20, Math.round(whole * share));
  await using world = await startWorld({ hosts: organizationHosts, settings: { 'http.baseURL': baseUrl } });
  const codes = await fill(world, calls + 20);
  const wrong: string[] = [];
  const figures: string[] = [];
  for (const [called, { call }] of Object.entries(kindsOf(world, codes))) {
    const random = seeded(`${seed} ${called}`);
    const order = random.shuffle(Array.from({ length: calls }, (_, n) => n));
    const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
    const answers = new Set<string>();
    // Warm up connections and code before measuring.
    for (let n = 0; n < 20; n += 1) await call(n % 2 === 0, calls + n);
    for (const n of order) {
      const isKnown = n % 2 === 0;
      const begun = performance.now();
      const answer = await call(isKnown, n);
      times[isKnown ? 'known' : 'unknown'].push(performance.now() - begun);
      answers.add(shapeOf(answer));
    }
    const difference = median(times.known) - median(times.unknown);
    const [low, high] = bootstrap(times.known, times.unknown, random);
    const figure = `${called}: ${difference.toFixed(3)} ms (${low.toFixed(3)} to ${high.toFixed(3)})`;
    report(figure);
    figures.push(figure);
    if (answers.size !== 1) wrong.push(`${called} answers differently: ${[...answers].join(' / ')}`);
    // A share has too few calls for meaningful times.
    if (share === 1 && (Math.abs(difference) > mostMs || low > 0 || high < 0)) wrong.push(figure);
  }
  return { figure: `${calls} calls of each; ${figures.join(', ')}`, holds: wrong.length === 0, counterexamples: wrong };
}

const newCode = () => randomBytes(20).toString('hex');

/** Makes accounts with addresses. @returns for each account a valid code that another browser requested */
async function fill(world: World, count: number): Promise<readonly string[]> {
  const { database } = world;
  const browser = keptBrowser(world, newCode());
  const codes = Array.from({ length: count }, newCode);
  const hashes = codes.map((code) => keptCode(world, 'mail', code, browser).toString('hex'));
  await database.execute(sql`
    insert into account (kind, name, email)
    select 'person', 'known-' || n, 'known-' || n || '@example.org' from generate_series(0, ${count - 1}) n`);
  await database.execute(sql`
    with request as (
      insert into sign_in_request (kind, email, browser)
      select 'mail', email, ${browser}::bytea from account where name like 'known-%' returning id, email
    )
    insert into sign_in_code (kind, hash, account_id, request_id, expires_at)
    select 'mail', decode(waiting.hash, 'hex'), account.id, request.id, now() + interval '1 hour'
      from request
      join account on account.email = request.email
      join unnest(${hashes}::text[]) with ordinality as waiting (hash, place)
        on account.name = 'known-' || (waiting.place - 1)`);
  return codes;
}

function kindsOf({ nobody }: World, codes: readonly string[]): Readonly<Record<string, Kind>> {
  const post = (path: string, json: object, cookie?: string) =>
    nobody.post(path, { json, headers: { origin: baseUrl, ...(cookie && { cookie }) } });
  const addressOf = (isKnown: boolean, n: number) => `${isKnown ? 'known' : 'other'}-${n}@example.org`;
  const browser = `__Host-browser=${newCode()}`;
  // Generated in advance. Otherwise, the time to generate a code would be measured, too.
  const madeUp = codes.map(newCode);
  return {
    'sign-in by mail': { call: (isKnown, n) => post('/auth/sign-in/mail', { email: addressOf(isKnown, n) }) },
    // A code of another browser, or an unknown code: this browser must not be able to tell them apart.
    'link of a mail': {
      call: (isKnown, n) => post(`/auth/sign-in/mail/${(isKnown ? codes : madeUp)[n]!}`, {}, browser),
    },
    'sign-up': {
      call: (isKnown, n) => post('/auth/sign-up', { username: `new-${isKnown ? 'a' : 'b'}-${n}`, email: addressOf(isKnown, n) }),
    },
  };
}

/** Status, body and headers, without parts that differ between calls. */
function shapeOf(answer: HttpAnswer): string {
  const body = answer.text.replace(/"requestId":"[^"]*"/, '');
  const headers = answer.headers.map(([header]) => header.toLowerCase()).sort().join(' ');
  return `${answer.status} ${body} ${headers}`;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The percentile interval of the difference of medians. */
function bootstrap(known: readonly number[], unknown: readonly number[], random: SeededRandom): [number, number] {
  const again = (values: readonly number[]) => values.map(() => random.pick(values));
  const differences = Array.from({ length: resamples }, () => median(again(known)) - median(again(unknown)))
    .sort((a, b) => a - b);
  const cut = Math.floor(((1 - confidence) / 2) * resamples);
  return [differences[cut]!, differences[resamples - 1 - cut]!];
}
