import { AdminServiceService } from '@platform/proto/orgs/v1/admin';
import { DecisionServiceService } from '@platform/proto/authz/v1/decision';
import { CommandFault } from '../command-fault.ts';
import { type CheckOutcome, failed } from '../doctor/check.ts';
import { checkMachine } from '../doctor/machine.ts';
import {
  checkDrift, checkModel, checkOrganizations, checkParts, type Repair, repairDrift,
} from '../doctor/services.ts';
import { checkSecrets, checkSettings } from '../doctor/state.ts';
import { stateHome } from '../home.ts';
import type { Environment } from '../launcher/settings.ts';
import { columns, type Output } from '../output.ts';
import { connectOperator, type ServerOptions } from './operator-client.ts';
import { readStatus } from './status.ts';

export interface DoctorOptions extends ServerOptions {
  /** Put the engine in line with the rows first. */
  readonly repair?: boolean;
}

/**
 * `platform doctor`: answers `{"ok": true, "checks": [{area, name, ok, found, fix?}], "repair"?}`.
 * @throws CommandFault when a check failed
 */
export async function doctor(options: DoctorOptions, environment: Environment, output: Output): Promise<void> {
  const home = stateHome(environment);
  const checks: CheckOutcome[] = [
    ...(await checkMachine(home)),
    ...(await checkSecrets(home)),
    ...checkSettings(home, environment),
  ];
  const { outcomes, repair } = await checkRunning(options, environment);
  checks.push(...outcomes);
  const bad = checks.filter(({ ok }) => !ok);
  output.answer({ ok: bad.length === 0, checks, ...(repair === undefined ? {} : { repair }) }, () => [
    ...columns(checks.map(({ area, name, ok, found }) => [ok ? 'ok' : 'FAILED', area, name, found])),
    ...bad.map(({ area, name, fix }) => `${area}, ${name}: ${fix}`),
    ...(repair === undefined ? [] : describeRepair(repair)),
  ]);
  if (bad.length === 0) return;
  const names = bad.map(({ area, name }) => `${area} (${name})`).join(', ');
  throw new CommandFault(`${bad.length} of ${checks.length} checks failed: ${names}`, bad[0]?.fix ?? '');
}

interface Found {
  readonly outcomes: readonly CheckOutcome[];
  readonly repair?: Repair;
}

async function checkRunning(options: DoctorOptions, environment: Environment): Promise<Found> {
  const outcomes: CheckOutcome[] = [];
  try {
    outcomes.push(...checkParts((await readStatus(environment)).parts));
    await using decisions = await connectOperator(DecisionServiceService, 'authz', {}, environment);
    outcomes.push(...(await checkModel(decisions)));
  } catch (error) {
    if (!(error instanceof CommandFault)) throw error;
    // With --server the platform may run elsewhere: then only its services are asked.
    if (options.server === undefined) return { outcomes: [failed('parts', 'platform', error.message, error.cure)] };
  }
  await using admin = await connectOperator(AdminServiceService, 'orgs-teams', options, environment);
  const repair = options.repair === true ? await repairDrift(admin) : undefined;
  outcomes.push(...(await checkOrganizations(admin)), ...(await checkDrift(admin)));
  return { outcomes, ...(repair === undefined ? {} : { repair }) };
}

function describeRepair(repair: Repair): string[] {
  const moved = repair.sequencesMoved.length === 0 ? 'no sequence' : repair.sequencesMoved.join(', ');
  return [
    `Repaired: ${repair.tuplesRead} tuples read, ${repair.tuplesRemoved} removed, `
      + `${repair.organizationsWritten} organizations written, ${moved} moved.`,
    ...(repair.organizationsPending.length === 0
      ? []
      : [`Still to be written: organizations ${repair.organizationsPending.join(', ')}.`]),
  ];
}
