import { DecisionServiceService } from '@platform/proto/authz/v1/decision';
import { AdminServiceService } from '@platform/proto/orgs/v1/admin';
import { StatusServiceService } from '@platform/proto/status/v1/status';
import type { RpcClient, ServiceDefinition } from '@platform/rpc';
import { environmentName, type GrpcServiceName, grpcServices } from '@platform/service';
import { CommandFault } from '../command-fault.ts';
import { type CheckOutcome, examine, type Examination, failed } from '../doctor/check.ts';
import { checkMachine } from '../doctor/machine.ts';
import {
  answerMs, checkDrift, checkModel, checkOrganizations, checkParts, checkService, driftPatienceMs, type Repair,
  repairDrift,
} from '../doctor/services.ts';
import { checkSecrets, checkSettings } from '../doctor/state.ts';
import { stateHome } from '../home.ts';
import { runningLauncher } from '../claim.ts';
import type { Environment } from '../settings.ts';
import { columns, type Output } from '../output.ts';
import { step } from '../progress.ts';
import { connectOperator, type ServerOptions } from '../operator-client.ts';
import { nothingRuns, readStatus } from './status.ts';

type DoctorOptions = ServerOptions & { readonly repair?: boolean };

/**
 * `platform doctor`: runs the checks concurrently, each with a time limit. With `--repair`, then repairs the
 * authorization engine, the id sequences and the message bus. Last, compares the engine with the rows of the database.
 * Skips the repair and the comparison if no platform runs, or if a check of a part or a service failed. Failed checks
 * in the areas `state` and `drift` cause no skip. With `--json`, prints
 * `{"ok", "checks": [{area, name, ok, found, fix?}], "repair"?}`.
 * @throws CommandFault when a check failed; Fault when the repair failed
 */
export async function doctor(options: DoctorOptions, environment: Environment, output: Output): Promise<void> {
  const home = stateHome(environment);
  // The launcher's rule refuses settings with addresses of services. It is not used for a remote platform, because the
  // operator may set these addresses there.
  const rule = isElsewhere(options, environment) ? () => [] : undefined;
  const local: Examination[] = [
    { ...onMachine, area: 'machine', name: 'machine', check: () => checkMachine(home) },
    { ...onMachine, area: 'state', name: 'secrets', check: () => checkSecrets(home) },
    { ...onMachine, area: 'settings', name: 'values', check: async () => checkSettings(home, environment, rule) },
  ];
  const [found, running] = await Promise.all([Promise.all(local.map(examine)), examineRunning(options, environment)]);
  const checks = [...found.flat(), ...running.outcomes];
  const bad = checks.filter(({ ok }) => !ok);
  const { repair } = running;
  output.answer({ ok: bad.length === 0, checks, ...(repair === undefined ? {} : { repair }) }, () => [
    ...columns(checks.map(({ area, name, ok, found: what }) => [ok ? 'ok' : 'FAILED', area, name, what])),
    ...bad.map(({ area, name, fix }) => `${area}, ${name}: ${fix}`),
    ...(repair === undefined ? [] : describeRepair(repair)),
  ]);
  if (bad.length === 0) return;
  throw new CommandFault(`${bad.length} of ${checks.length} checks failed: ${namesOf(bad)}`, bad[0]?.fix ?? '');
}

function namesOf(checks: readonly CheckOutcome[]): string {
  return checks.map(({ area, name }) => `${area} (${name})`).join(', ');
}

const onMachine = { patienceMs: 10_000, fix: 'Find what keeps the disk of the state folder busy.' };

async function examineRunning(
  options: DoctorOptions, environment: Environment,
): Promise<{ readonly outcomes: readonly CheckOutcome[]; readonly repair?: Repair }> {
  const home = stateHome(environment);
  const isHere = (await runningLauncher(home)) !== undefined;
  if (!isHere && !isElsewhere(options, environment)) {
    const { message, cure } = nothingRuns(home);
    return { outcomes: [failed('parts', 'platform', message, cure)] };
  }
  const ask = asking(options, environment);
  // `--server` gives the address of orgs-teams only. Other services of a remote platform are checked if their addresses
  // are set.
  const asked = grpcServices.filter(({ name, addresses }) =>
    isHere || name === 'orgs-teams' || (environment[environmentName(addresses)] ?? '').trim() !== '');
  const parts: Examination = {
    // `readStatus` asks all parts at the same time, and waits at most 5 s for each.
    area: 'parts', name: 'parts', patienceMs: 15_000, fix: 'Check `platform status`.',
    check: async () => checkParts((await readStatus(home))?.parts ?? []),
  };
  const all: Examination[] = [
    ...(isHere ? [parts] : []),
    ...asked.map(({ name }): Examination => ({
      ...ofService(name), area: 'versions',
      check: ask(StatusServiceService, name, (client) => checkService(name, client)),
    })),
    ...asked.filter(({ engine }) => engine).map(({ name }): Examination =>
      ({ ...ofService(name), area: 'model', check: ask(DecisionServiceService, name, checkModel) })),
    { ...ofService('orgs-teams'), area: 'state', check: ask(AdminServiceService, 'orgs-teams', checkOrganizations) },
  ];
  const checking = step('Checking the services');
  let done = 0;
  const outcomes = (await Promise.all(all.map(async (one) => {
    const found = await examine(one);
    checking.reached(`${done += 1} of ${all.length}`);
    return found;
  }))).flat();
  const bad = outcomes.filter(({ area, ok }) => !ok && area !== 'drift' && area !== 'state');
  if (bad.length > 0) {
    const found = `the database and OpenFGA were not compared, because checks failed: ${namesOf(bad)}`;
    const fix = 'Remove the causes of these failures, then run the command again.';
    return { outcomes: [...outcomes, failed('drift', 'tuples', found, fix)] };
  }
  const repair = options.repair === true ? await ask(AdminServiceService, 'orgs-teams', repairDrift)() : undefined;
  step('Comparing the authorization engine with the database');
  const compared = await examine({
    ...ofService('orgs-teams'), area: 'drift', name: 'tuples', patienceMs: driftPatienceMs,
    check: ask(AdminServiceService, 'orgs-teams', checkDrift),
  });
  return { outcomes: [...outcomes, ...compared], ...(repair === undefined ? {} : { repair }) };
}

/** Whether `--server` or `PLATFORM_SERVER` gives an address. */
function isElsewhere({ server }: ServerOptions, environment: Environment): boolean {
  return server !== undefined || (environment[environmentName('server')] ?? '').trim() !== '';
}

function asking(options: ServerOptions, environment: Environment) {
  return <S extends ServiceDefinition, Answer>(
    definition: S, service: GrpcServiceName, question: (client: RpcClient<S>) => Promise<Answer>,
  ) => async (): Promise<Answer> => {
    await using client = await connectOperator(definition, service, options, environment);
    return await question(client);
  };
}

function ofService(name: GrpcServiceName): Pick<Examination, 'name' | 'patienceMs' | 'fix'> {
  // The call itself times out earlier, after `answerMs`, with a better message.
  return { name, patienceMs: 2 * answerMs, fix: `Check \`platform status\` and logs/${name}.log.` };
}

function describeRepair(repair: Repair): string[] {
  const { sequencesMoved: sequences } = repair;
  const moved = sequences.length === 0 ? 'no id sequence' : `id sequences ${sequences.join(', ')}`;
  return [
    `Repaired: ${repair.tuplesRead} tuples of OpenFGA read, ${repair.tuplesRemoved} removed, `
      + `${repair.organizationsWritten} organizations written to OpenFGA, ${moved} advanced.`,
    ...(repair.busAccountsUnknown === 0 ? []
      : [`Being removed from the bus: ${repair.busAccountsUnknown} accounts that are not in the database.`]),
    ...(repair.busTrouble === '' ? []
      : [`The accounts of the bus were not compared with the database: ${repair.busTrouble}`]),
    ...(repair.organizationsPending.length === 0 ? []
      : [`Not yet written to OpenFGA: organizations ${repair.organizationsPending.join(', ')}.`]),
  ];
}
