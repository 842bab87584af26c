import { sql } from '@platform/postgres';
import {
  outageOf, ownPostgres, type OwnPostgres, type ProofOptions, type ProofResult, seeded, type SeededRandom, until,
} from '@platform/testing';
import { adminHttp } from '../src/admin-http.ts';
import { startWorld, type World } from '../src/orgs/world.ts';
import { organizationHosts } from '../src/platform.ts';
import { prepareCalls } from './calls.ts';
import { backWithin, type Load, refusals, startLoad } from './load.ts';

export const name = 'postgres-faults';
export const describe = 'PostgreSQL is away for 10 s, silent, restarted, killed, and its connections are cut 200 times '
  + 'under load: right answers or 503 with Retry-After, normal again within 5 s, no write lost or done twice, nothing leaked.';
export const servers = true;

const wholeAwayMs = 10_000;
const wholeCuts = 200;
const clients = 8;

interface Fault {
  readonly name: string;
  bring(): Promise<void>;
  /** Whether some calls must have been refused during the fault. */
  readonly refuses: boolean;
}

export async function prove({ seed, share, report }: ProofOptions): Promise<ProofResult> {
  const random = seeded(seed);
  await using postgres = await ownPostgres();
  await using world = await startWorld({
    hosts: organizationHosts, postgres, replicas: { 'orgs-teams': 2 }, settings: { 'log.level': 'error' },
  });
  const calls = await prepareCalls(world);
  await using load = startLoad([...calls.reads, ...calls.writes], { clients, share });
  const counterexamples: string[] = [];
  const shown: string[] = [];
  await load.steady(30_000);

  for (const fault of faults(postgres, world, load, random, share)) {
    await load.phase();
    await fault.bring();
    const over = performance.now();
    await load.steady(backWithin(5_000, share));
    const back = Math.round(performance.now() - over);
    const during = await load.phase();
    await load.answered(50, 60_000);
    const after = await load.phase();
    const refused = refusals(during);
    const wrongs = [...during.wrong, ...during.lost, ...after.wrong, ...after.lost].map((what) => `${fault.name}: ${what}`);
    if (refusals(after) > 0) wrongs.push(`${fault.name}: ${refusals(after)} calls refused when it was over`);
    if (fault.refuses && refused === 0) wrongs.push(`${fault.name}: nothing was refused, so nothing was tried`);
    counterexamples.push(...wrongs);
    shown.push(`${fault.name}: ${during.right} right, ${refused} refused, normal after ${back} ms`);
    report(`${shown.at(-1)!}, ${wrongs.length} wrong`);
  }

  await load.stop();
  counterexamples.push(...await calls.disagreements(), ...await leaks(world));
  return {
    figure: `${shown.join('; ')}; ${counterexamples.length} wrong`,
    holds: counterexamples.length === 0,
    counterexamples: counterexamples.slice(0, 20),
  };
}

function faults(
  postgres: OwnPostgres, { database }: World, load: Load, random: SeededRandom, share: number,
): readonly Fault[] {
  const { proxy } = postgres;
  const cuts = Math.max(4, Math.round(wholeCuts * share / 2));
  const awayMs = Math.max(1_500, wholeAwayMs * share);
  const restarted = async (end: () => Promise<void>) => {
    await end();
    await load.refused(20, 60_000);
    await postgres.start();
  };
  const again = async (cut: () => Promise<unknown> | void) => {
    for (let count = 0; count < cuts; count += 1) {
      await cut();
      await load.answered(random.integer(1, 10), 60_000);
    }
  };
  return [
    {
      name: `away ${awayMs / 1_000} s`,
      refuses: true,
      bring: async () => {
        await proxy.refuse();
        await outageOf(awayMs);
        await proxy.release();
      },
    },
    {
      name: 'silent',
      refuses: true,
      bring: async () => {
        proxy.hold();
        await load.refused(clients, 60_000);
        await proxy.release();
      },
    },
    { name: 'restarted', refuses: true, bring: () => restarted(postgres.stop) },
    { name: 'killed', refuses: true, bring: () => restarted(postgres.kill) },
    { name: `connections cut ${cuts} times`, refuses: true, bring: () => again(() => proxy.cut()) },
    {
      name: `answers cut ${cuts} times`,
      refuses: true,
      bring: () => again(async () => {
        proxy.cutAfter(random.integer(0, 300));
        await load.answered(clients, 60_000);
        await proxy.release();
      }),
    },
    {
      name: `connections ended ${cuts} times`,
      refuses: false,
      bring: () => again(() => database.query(sql`
        select pg_terminate_backend(pid)::text from pg_stat_activity
         where usename = current_user and pid <> pg_backend_pid() and application_name <> 'spec'`)),
    },
  ];
}

/** Connections that are still open after the load has ended. */
async function leaks({ platform, database }: World): Promise<string[]> {
  const found: string[] = [];
  for (const replica of platform.services['orgs-teams'].replicas) {
    const admin = adminHttp(replica.addresses['admin']!);
    const atRest = async () => {
      const { text } = await admin.get('/metrics');
      const gauge = (what: string) => Number(new RegExp(`^postgres_pool_${what}(?:{.*})? (\\d+)$`, 'm').exec(text)?.[1]);
      return gauge('waiting') === 0 && gauge('connections_idle') === gauge('connections');
    };
    await until(atRest, { what: 'no connection is in use' }).catch((error: unknown) => {
      found.push(`replica ${replica.addresses['grpc']}: ${String(error)}`);
    });
  }
  const open = () => database.query(sql<{ state: string }>`
    select state from pg_stat_activity where application_name = 'orgs-teams'`);
  const most = 10 * platform.services['orgs-teams'].replicas.length;
  const atRest = async () => {
    const states = await open();
    return states.length <= most && states.every(({ state }) => state === 'idle');
  };
  await until(atRest, { within: 15_000, what: `the server has at most ${most} connections, all idle` })
    .catch((error: unknown) => found.push(String(error)));
  return found;
}
