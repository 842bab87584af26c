import type { ReadinessReport } from '@platform/service';
import { type ProofOptions, type ProofResult, type Replica, until } from '@platform/testing';
import { startSockets } from '../sockets/start-sockets.ts';
import { adminHttp } from '../src/admin-http.ts';
import { startWorld, type World } from '../src/orgs/world.ts';
import { type Host, organizationHosts } from '../src/platform.ts';
import { prepareCalls } from './calls.ts';
import { backWithin, refusals, startLoad } from './load.ts';

export const name = 'file-handles';
export const describe = 'Gateway and orgs-teams run with 128 file handles each, and 10 times somebody takes all of them under '
  + 'load: it is said, nobody who is connected is refused, and it is as before afterwards.';
export const servers = true;

const wholeRounds = 10;
const handles = 128;
const clients = 8;

export async function prove({ share, report }: ProofOptions): Promise<ProofResult> {
  const few = (service: Host | 'gateway') => service === 'gateway' || service === 'orgs-teams';
  await using world = await startWorld({
    hosts: organizationHosts,
    settings: { 'log.level': 'warn', 'http.requestTimeout': '600s' },
    surroundings: (service) => (few(service) ? { confine: `ulimit -n ${handles}` } : {}),
  });
  const calls = await prepareCalls(world);
  await using load = startLoad([...calls.reads, ...calls.writes], { clients, share });
  await load.steady(30_000);
  const rounds = Math.max(1, Math.round(wholeRounds * share));
  const counterexamples: string[] = [];
  let right = 0;
  for (let round = 0; round < rounds; round += 1) {
    for (const victim of victims(world)) {
      const logged = victim.replica.log.length;
      const probe = adminHttp(victim.replica.addresses['admin']!);
      // Undefined if the process does not even keep the connection.
      const asked = (path: string) => probe.get(path).catch(() => undefined);
      const isWell = async () => (await asked('/readyz'))?.json<ReadinessReport>().checks.every(({ ok }) => ok) ?? false;
      await until(isWell, { what: `${victim.name} is well` });
      await load.phase();
      const said: string[] = [];
      {
        // When: there are more connections than handles
        using sockets = startSockets({ port: victim.port, count: 2 * handles, bytes: victim.opening, drip: '', everyMs: 1_000 });
        const { open } = await sockets.opened;
        // A process logs the same problem at most once in 10 s.
        const tells = () => victim.replica.log.some((line) => line.includes(victim.says));
        // Also use up handles that are freed meanwhile.
        const full = (seen: () => boolean | Promise<boolean>) => () => sockets.fill().then(seen);
        await until(full(tells), { within: backWithin(5_000, share), what: `${victim.name} says what it lacks` })
          .catch((error: unknown) => said.push(String(error)));
        await until(full(async () => !(await isWell())), { within: backWithin(5_000, share), what: `${victim.name} is not well` })
          .catch(async (error: unknown) => said.push(`${String(error)}, ${(await sockets.ask()).open} of ${open} connections`));
        if (victim.answersProbes) {
          // The replica stays ready: a client that fills one replica must not be passed on to the others.
          const answers = [(await asked('/readyz'))?.status, (await asked('/livez'))?.status].join();
          if (answers !== '200,200') said.push(`its probes are answered ${answers}, ${(await sockets.ask()).open} of ${open} connections are open`);
        }
        await calls.forget();
        await load.answered(100, 60_000);
      }
      await until(isWell, { within: backWithin(5_000, share), what: `${victim.name} is well again` })
        .catch((error: unknown) => said.push(String(error)));
      await load.steady(backWithin(5_000, share));
      const tally = await load.phase();
      right += tally.right;
      const lines = victim.replica.log.slice(logged).filter((line) => line.includes(victim.says));
      if (lines.length > 3) said.push(`it was said ${lines.length} times`);
      if (victim.replica.hasEnded) said.push('it ended');
      if (refusals(tally) > 0) said.push(`${refusals(tally)} calls were refused`);
      counterexamples.push(...[...said, ...tally.wrong, ...tally.lost].map((what) => `${victim.name}: ${what}`));
      await probe[Symbol.asyncDispose]();
    }
    report(`${round + 1} of ${rounds} rounds, ${right} calls right, ${counterexamples.length} wrong`);
  }
  await load.stop();
  counterexamples.push(...await calls.disagreements());
  return {
    figure: `${2 * rounds} times all of ${handles} file handles taken, ${right} calls right, ${counterexamples.length} wrong`,
    holds: counterexamples.length === 0,
    counterexamples: counterexamples.slice(0, 20),
  };
}

interface Victim {
  readonly name: string;
  readonly replica: Replica;
  readonly port: number;
  /** First bytes of a connection, with which the server keeps it open without a request. */
  readonly opening: string;
  /** What its log must hold. */
  readonly says: string;
  /** Whether it reserves handles for health probes. */
  readonly answersProbes: boolean;
}

function victims({ platform }: World): readonly Victim[] {
  const [gateway] = platform.services.gateway.replicas;
  const [orgsTeams] = platform.services['orgs-teams'].replicas;
  const portOf = (address: string) => Number(new URL(`http://${address}`).port);
  return [
    {
      name: 'gateway', replica: gateway, port: portOf(gateway.addresses['http']!), opening: '',
      says: 'the limit of connections is reached', answersProbes: true,
    },
    {
      name: 'orgs-teams', replica: orgsTeams, port: portOf(orgsTeams.addresses['grpc']!),
      // The preface of HTTP/2 and an empty SETTINGS frame (RFC 9113 §3.4).
      opening: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u0004\0\0\0\0\0',
      says: 'no file handle is left', answersProbes: false,
    },
  ];
}
