import { sql } from '@platform/postgres';
import { DecisionServiceService } from '@platform/proto/authz/v1/decision';
import {
  as, type ProofOptions, type ProofResult, type Replica, rpcClient, startService, type StartServiceOptions,
} from '@platform/testing';
import { specCall } from '../src/operator.ts';
import { startWorld, type World } from '../src/orgs/world.ts';
import { organizationHosts } from '../src/platform.ts';
import { type Calls, prepareCalls } from './calls.ts';
import { type CodeTree, nextVersion, versionBefore } from './code-tree.ts';
import { backWithin, refusals, startLoad } from './load.ts';

export const name = 'rolling-upgrade';
export const describe = 'Under load, replicas of orgs-teams and authz are replaced one by one by those of a newer version, '
  + 'with its migration and model, an old one dying in between, and back again: no call fails but those the dead one was at.';
export const servers = true;

const clients = 8;
const upgraded = ['orgs-teams', 'authz'] as const;

/** Undefined means this version. */
type Version = CodeTree | undefined;

export async function prove({ share, report }: ProofOptions): Promise<ProofResult> {
  await using next = await nextVersion();
  await using before = share === 1 ? await versionBefore() : undefined;
  if (share === 1 && before === undefined) report('the history does not reach back to the version before; left out');
  const counterexamples = await upgrade('this to the next', undefined, next, { share, report });
  if (before !== undefined) counterexamples.push(...await upgrade('the one before to this', before, undefined, { share, report }));
  return {
    figure: `${before === undefined ? 1 : 2} upgrades and returns of 4 replicas, ${counterexamples.length} wrong`,
    holds: counterexamples.length === 0,
    counterexamples: counterexamples.slice(0, 20),
  };
}

async function upgrade(
  what: string, old: Version, young: Version, { share, report }: Pick<ProofOptions, 'share' | 'report'>,
): Promise<string[]> {
  const versions = old === undefined ? {} : { code: (service: string) => old.main(service) };
  await using world = await startWorld({
    ...versions, hosts: organizationHosts, replicas: { 'orgs-teams': 2, authz: 2 }, settings: { 'log.level': 'error' },
    ownProcess: { of: upgraded, because: 'killed' },
  });
  const calls = await prepareCalls(world);
  await using load = startLoad([...calls.reads, ...calls.writes], { clients, share });
  await load.steady(30_000);
  await load.phase();
  const wrongs: string[] = [];
  const step = async (name: string, cutsCalls: boolean, work: () => Promise<void>) => {
    await calls.forget();
    await work();
    await load.steady(backWithin(5_000, share));
    const tally = await load.phase();
    const reads = refusals(tally) - (tally.unavailable.get('create a team') ?? 0);
    const found = [...tally.wrong, ...tally.lost];
    if (reads > 0 || (refusals(tally) > 0 && !cutsCalls)) found.push(`${refusals(tally)} refused, ${reads} of them reads`);
    wrongs.push(...found.map((one) => `${what}, ${name}: ${one}`));
    report(`${what}, ${name}: ${tally.right} right, ${refusals(tally)} refused, ${found.length} wrong`);
  };

  const running: Record<(typeof upgraded)[number], Replica[]> = {
    'orgs-teams': [...world.platform.services['orgs-teams'].replicas], authz: [...world.platform.services.authz.replicas],
  };
  const replace = async (service: (typeof upgraded)[number], index: number, version: Version) => {
    const replica = running[service][index]!;
    await replica.stop();
    const listen = { 'grpc.listen': replica.addresses['grpc']! };
    const options: StartServiceOptions = version === undefined ? { ownProcess: 'killed' } : { main: version.main(service) };
    const started = await startService(service, { ...world.platform.settings[service], ...listen }, options);
    running[service][index] = started.replicas[0];
  };
  for (const service of upgraded) {
    await step(`the first ${service} is new`, false, () => replace(service, 0, young));
    await step(`the old ${service} dies and starts again`, true, async () => {
      await running[service][1]!.kill();
      await running[service][1]!.restart();
    });
    await step(`the second ${service} is new`, false, () => replace(service, 1, young));
  }
  await step('back again', false, async () => {
    for (const service of upgraded) await replace(service, 0, old);
  });
  await load.stop();
  return [...wrongs, ...await disagreements(world, calls, young)];
}

/** Checks at the end: rows against answers, rows against the engine, and whether the newer version was in use. */
async function disagreements({ database, operator, platform }: World, calls: Calls, young: Version): Promise<string[]> {
  const found = await calls.disagreements();
  const { differences } = await operator.admin.checkDrift({ organizationId: 0, limit: 5 }, specCall());
  found.push(...differences.map((difference) => `rows and engine differ: ${JSON.stringify(difference)}`));
  if (young !== undefined) {
    const { filled } = await database.one(sql<{ filled: boolean }>`
      select bool_and(coalesce(name_length = length(name), false)) as "filled" from team where name like 'made %'
         and name_length is not null`);
    if (!filled) found.push('no row was written on the newer schema');
    const engines = platform.grpc.authz.split(',').map(async (address) => {
      const { serviceCredential } = platform;
      await using engine = await rpcClient(DecisionServiceService, [address], { serviceCredential });
      return (await engine.getModel({}, as(undefined))).modelId;
    });
    if (new Set(await Promise.all(engines)).size !== 2) found.push('there were no two models');
  }
  return found;
}
