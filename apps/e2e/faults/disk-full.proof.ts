import { connect } from '@platform/postgres';
import { deadlineIn } from '@platform/service';
import { fillDisk, mayMount, ownPostgres, type ProofOptions, type ProofResult, until } from '@platform/testing';
import { adminHttp } from '../src/admin-http.ts';
import { specCall } from '../src/operator.ts';
import { startWorld, type World } from '../src/orgs/world.ts';
import { organizationHosts } from '../src/platform.ts';
import { prepareCalls } from './calls.ts';
import { fullStateFolder, useUpLog } from './full-state-folder.ts';
import { backWithin, refusals, startLoad } from './load.ts';

export const name = 'disk-full';
export const describe = 'The disk of PostgreSQL is filled 10 times under load, with and without room for its log, and once '
  + 'that of a whole platform: writes are refused, reads go on while rows can be read, nothing that was answered is lost.';
export const servers = true;

const wholeRounds = 10;
const clients = 8;
const mebibyte = 1024 * 1024;

export async function prove({ share, report }: ProofOptions): Promise<ProofResult> {
  if (!(await mayMount())) return { figure: 'not tried: no disk may be mounted here', holds: undefined };
  await using postgres = await ownPostgres({ disk: 300 * mebibyte });
  await using world = await startWorld({
    hosts: organizationHosts, postgres, replicas: { 'orgs-teams': 2 }, settings: { 'log.level': 'error' },
  });
  await using superuser = connect({ url: postgres.superuserUrl, applicationName: 'spec', maxConnections: 1 });
  const calls = await prepareCalls(world);
  await using load = startLoad([...calls.reads, ...calls.writes], { clients, share });
  await load.steady(30_000);
  const rounds = Math.max(1, Math.round(wholeRounds * share));
  const counterexamples: string[] = [];
  const shown: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const hasLog of [true, false]) {
      const what = hasLog ? 'full' : 'full, its log too';
      const logged = new Set(loggedBy(world));
      await load.phase();
      await superuser.ping(deadlineIn(10_000));
      const makeRoom = await fillDisk(postgres.servers.state.postgres);
      if (!hasLog) await useUpLog(superuser);
      await load.refused(40, 60_000);
      const during = await load.phase();
      await load.answered(40, 60_000);
      if (hasLog) await until(() => saysWhy(world), { within: 30_000, what: 'readiness says that the disk is full' });
      // PostgreSQL ends when it cannot write its log, which takes a moment; a supervisor would then start it again.
      const end = until(() => !postgres.runs(), { within: hasLog ? 0 : 30_000, what: 'PostgreSQL has ended' });
      const ended = await end.then(() => true, () => false);
      await makeRoom();
      if (ended) await postgres.start();
      const over = performance.now();
      await load.steady(backWithin(5_000, share));
      await until(() => allReady(world), { within: 30_000, what: 'all replicas are ready' });
      const back = Math.round(performance.now() - over);
      const returning = await load.phase();
      await load.answered(50, 60_000);
      const after = await load.phase();

      const wrongs = [during, returning, after].flatMap((tally) => [...tally.wrong, ...tally.lost]);
      const reads = refusals(during) - (during.unavailable.get('create a team') ?? 0);
      if (hasLog && reads > 0) wrongs.push(`${reads} reads refused: ${[...during.unavailable].join('; ')}`);
      if (!hasLog && !ended) wrongs.push('PostgreSQL did not end, so nothing was tried');
      if (refusals(after) > 0) wrongs.push(`${refusals(after)} calls refused when there was room again`);
      const lines = loggedBy(world).filter((line) => !logged.has(line));
      if (!loggedBy(world).some((line) => line.includes('No space left'))) wrongs.push('no log line says why');
      counterexamples.push(...wrongs.map((wrong) => `${what}: ${wrong}`));
      shown.push(`${what}: ${during.right} right, ${refusals(during)} refused, ${lines.length} lines logged, `
        + `${ended ? 'PostgreSQL ended, ' : ''}normal after ${back} ms`);
      report(`${round + 1} of ${rounds}, ${shown.at(-1)!}, ${wrongs.length} wrong`);
    }
  }
  await load.stop();
  counterexamples.push(...await calls.disagreements());
  const { differences } = await world.operator.admin.checkDrift({ organizationId: 0, limit: 5 }, specCall());
  counterexamples.push(...differences.map((difference) => `rows and engine differ: ${JSON.stringify(difference)}`));

  const platform = await fullStateFolder(report);
  counterexamples.push(...platform.wrongs);
  return {
    figure: `${2 * rounds} times full, ${shown.at(-2)}; ${shown.at(-1)}; a whole platform: ${platform.figure}; `
      + `${counterexamples.length} wrong`,
    holds: counterexamples.length === 0,
    counterexamples: counterexamples.slice(0, 20),
  };
}

/** The answer of `/readyz` from each replica that writes. */
async function readinessOf({ platform }: World) {
  const replicas = Object.values(platform.services).flatMap((service) => service.replicas);
  return Promise.all(replicas.map(async ({ addresses }) => {
    const { status, text } = await adminHttp(addresses['admin']!).get('/readyz');
    const { checks } = JSON.parse(text) as { checks: { name: string; ok: boolean; reason?: string }[] };
    return { status, reason: checks.find(({ name, ok }) => !ok && name === 'writes to PostgreSQL')?.reason };
  }));
}

async function saysWhy(world: World): Promise<boolean> {
  const said = await readinessOf(world);
  // authz and the gateway have no database of their own.
  const writers = said.filter(({ reason }) => reason !== undefined);
  return writers.length > 1 && writers.every(({ status, reason }) => status === 503 && reason!.includes('No space left'));
}

async function allReady(world: World): Promise<boolean> {
  return (await readinessOf(world)).every(({ status }) => status === 200);
}

function loggedBy({ platform }: World): string[] {
  return Object.values(platform.services).flatMap((service) => service.replicas).flatMap(({ log }) => log);
}

