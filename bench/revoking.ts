import { quantile } from '@platform/testing';
import { spread } from './compare.ts';
import type { Launched } from './launched.ts';
import { type BenchSite, callerOf, guest, owner } from './site.ts';

/** Revocations of each kind, per side and round. */
const eachTime = 150;

interface RevokingSide {
  readonly platform: Launched;
  readonly site: BenchSite;
}

/** Grants a right; the returned function revokes it. */
type Give = () => Promise<() => Promise<unknown>>;

/**
 * Prints the duration of calls that revoke a right. The sides take turns. These calls wait until no process uses the
 * right. The first round is a warm-up.
 */
export async function compareRevoking(
  sides: readonly [before: RevokingSide, now: RevokingSide], rounds: number,
): Promise<void> {
  const ways = sides.map(waysOf);
  console.log('\n| revoking call | × p99 | p50 ms, before | now | p99 ms, before | now |');
  console.log('|---|---|---|---|---|---|');
  for (const name of ['membership', 'token', 'flag'] as const) {
    const isThere = await ways[0]![name]().then((take) => take()).then(() => true, () => false);
    if (!isThere) {
      console.log(`| ${name} | the other commit has no such call |`);
      continue;
    }
    const taken: [before: number[][], now: number[][]] = [[], []];
    for (let round = 0; round <= rounds; round += 1) {
      for (const [side, way] of ways.entries()) {
        const times = await timesOf(way[name]);
        if (round > 0) taken[side]!.push(times);
      }
    }
    const [before, now] = taken.map((all) => ({
      p50: spread(all.map((times) => quantile(times, 0.5))), p99: spread(all.map((times) => quantile(times, 0.99))),
    })) as [Quantiles, Quantiles];
    const ratio = spread(taken[1].map((times, round) => quantile(times, 0.99) / quantile(taken[0][round]!, 0.99)));
    const of = ({ median, low, high }: { median: number; low: number; high: number }) =>
      `${median.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`;
    console.log(`| ${name} | ${of(ratio)} | ${of(before.p50)} | ${of(now.p50)} | ${of(before.p99)} | ${of(now.p99)} |`);
  }
}

interface Quantiles {
  readonly p50: ReturnType<typeof spread>;
  readonly p99: ReturnType<typeof spread>;
}

function waysOf({ platform: { run }, site: { api, call, organizations } }: RevokingSide) {
  const asAdmin = callerOf(api, run.admin.token);
  const member = `/teams/${organizations[0]!.teamId}/members/${guest}`;
  const tokens = `/users/${owner}/tokens`;
  const user = `/admin/users/${guest}`;
  let made = 0;
  return {
    membership: async () => {
      await call('PUT', member);
      return () => call('DELETE', member);
    },
    token: async () => {
      made += 1;
      const { id } = await call<{ id: number }>('POST', tokens, { name: `revoked ${made}` });
      return () => call('DELETE', `${tokens}/${id}`);
    },
    flag: async () => {
      await asAdmin('PATCH', user, { active: true });
      return () => asAdmin('PATCH', user, { active: false });
    },
  } satisfies Record<string, Give>;
}

async function timesOf(give: Give): Promise<number[]> {
  const times: number[] = [];
  for (let count = 0; count < eachTime; count += 1) {
    const take = await give();
    const start = performance.now();
    await take();
    times.push(performance.now() - start);
  }
  return times;
}
