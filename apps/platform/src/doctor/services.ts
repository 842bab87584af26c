import { type AdminServiceService, DifferenceKind } from '@platform/proto/orgs/v1/admin';
import type { ServiceStatus, StatusServiceService } from '@platform/proto/status/v1/status';
import type { DecisionServiceService } from '@platform/proto/authz/v1/decision';
import type { RpcClient } from '@platform/rpc';
import { pause, platformVersion } from '@platform/service/basics';
import { operatorCall } from '../operator-client.ts';
import { noAnswer, type ReportedPart } from '../part-readiness.ts';
import { step } from '../progress.ts';
import { type CheckOutcome, failed, passed } from './check.ts';

type Admin = RpcClient<typeof AdminServiceService>;
type Status = RpcClient<typeof StatusServiceService>;

/** Time limit of a short call to a service, in milliseconds. */
export const answerMs = 5_000;
/** The check `pending` fails if a change is still not written to the engine after this time, in seconds. */
const patienceSeconds = 30;
/**
 * Time limit of {@link checkDrift} and of {@link repairDrift}, in milliseconds. Both read every tuple of the
 * authorization engine.
 */
export const driftPatienceMs = 600_000;

export function checkParts(parts: readonly ReportedPart[]): CheckOutcome[] {
  if (parts.length === 0) return [failed('parts', 'parts', 'no part has been started', 'Check `platform status`.')];
  return parts.map((part) => {
    const restarts = part.restarts === 0 ? '' : `, started again ${part.restarts} times, last ended with ${part.lastExit}`;
    const version = part.version === undefined ? '' : `, version ${part.version}`;
    const without = part.reason === undefined ? '' : `, but dependencies fail: ${part.reason}`;
    if (part.ready) return passed('parts', part.name, `${part.state}${version}${restarts}${without}`);
    const found = `not ready: ${part.reason ?? 'unknown'}${restarts}`;
    return failed('parts', part.name, found, cureOf(part));
  });
}

function cureOf({ name, state, reason }: ReportedPart): string {
  if (state === 'external') return `The launcher does not run ${name}. See the log of ${name} on its own machine.`;
  const log = `logs/${name}.log in the state folder`;
  // Usually, a part that hangs logs nothing.
  if (reason === noAnswer) return `The launcher restarts ${name} if it stays silent (supervise.silence). ${log} has its last messages.`;
  if (name !== 'openfga') return `${log} says why.`;
  // The start of the platform creates a missing database. The repair fills it with tuples from the rows of orgs-teams.
  return `${log} says why. If the database of OpenFGA is gone: start the platform again, then run \`platform doctor --repair\`.`;
}

/** @throws Fault */
export async function checkOrganizations(admin: Admin): Promise<CheckOutcome[]> {
  const status = await admin.getStatus({}, operatorCall(answerMs));
  const pending = `${status.pendingUnits} changes not yet written to OpenFGA, oldest ${status.oldestPendingSeconds} s`;
  return [
    status.siteAdmins > 0
      ? passed('state', 'site admins', String(status.siteAdmins))
      : failed('state', 'site admins', 'no site admin can sign in', 'Run `platform admin user create --admin …`.'),
    status.oldestPendingSeconds <= patienceSeconds
      ? passed('drift', 'pending', pending)
      : failed('drift', 'pending', pending, 'Check OpenFGA and authz with `platform status`.'),
    ...status.failingUnits.map(({ organizationId, unit, attempts, cause }) => failed(
      'drift', `organization ${organizationId}, ${unit}`, `failed ${attempts} times: ${cause}`,
      'Remove the cause, then run `platform doctor --repair`.',
    )),
  ];
}

/** @throws Fault */
export async function checkService(name: string, service: Status): Promise<CheckOutcome[]> {
  return describeService(name, await service.getStatus({}, operatorCall(answerMs)));
}

/** Special advice for some dependencies, by their name in `ServiceStatus.unavailable`. */
const cures: Readonly<Record<string, string>> = {
  'quotas of events':
    'Check the parked events (`platform admin parked-events list`), or raise the settings bus.shares.kept* and '
      + 'bus.shares.parked*.',
  'writes to PostgreSQL': 'Make room on the disk of PostgreSQL, or set postgres.url to a server that accepts writes.',
};

export function describeService(name: string, status: ServiceStatus): CheckOutcome[] {
  const { version, migrations, failingJobs, lostKeys, unavailable, deploymentType, runMode } = status;
  const open = migrations.filter(({ appliedAt }) => appliedAt === '').map((migration) => migration.name);
  return [
    version === platformVersion
      ? passed('versions', name, version)
      : failed('versions', name, `${version}, but this command has ${platformVersion}`, 'Start the platform again.'),
    passed('settings', name, `${deploymentType} in run mode ${runMode}`),
    ...(migrations.length === 0 ? [] : [open.length === 0
      ? passed('migrations', name, `${migrations.length} applied, the last ${migrations.at(-1)!.name}`)
      : failed('migrations', name, `not applied: ${open.join(', ')}`, 'Start the platform again: the start applies migrations.')]),
    ...failingJobs.map(({ task, attempts, lastError }) => failed(
      'jobs', `${name}, ${task}`, `failed ${attempts} times: ${lastError}`, 'Remove the cause. The job is repeated automatically.',
    )),
    ...lostKeys.map(({ table, keyId, secrets }) => failed(
      'secrets', `${name}, ${table}`, `${secrets} secrets cannot be decrypted: their key ${keyId} is missing`,
      'Add the key to secrets.encryptionKeys and restart the services, or set these secrets again.',
    )),
    ...unavailable.map(({ name: dependency, reason }) => failed(
      'dependencies', `${name}, ${dependency}`, reason,
      cures[dependency] ?? `Check ${dependency}. ${name} tries again automatically.`,
    )),
  ];
}

/** Reports the model that authz uses. @throws Fault, also if authz has no model */
export async function checkModel(decisions: RpcClient<typeof DecisionServiceService>): Promise<CheckOutcome[]> {
  const { storeId, modelId } = await decisions.getModel({}, operatorCall(answerMs));
  return [passed('model', 'authz', `model ${modelId} in store ${storeId}`)];
}

/** Compares the engine's tuples with the rows of the database, and the id sequences with the used ids. @throws Fault */
export async function checkDrift(admin: Admin): Promise<CheckOutcome[]> {
  const fix = 'Run `platform doctor --repair`.';
  const drift = await admin.checkDrift({ organizationId: 0, limit: 5 }, operatorCall(driftPatienceMs));
  const behind = drift.sequencesBehind.join(', ');
  const read = `${drift.organizationsChecked} organizations, ${drift.tuplesRead} tuples`;
  const differ = `OpenFGA differs from the database in ${drift.differenceCount} tuples, such as `
    + examples(drift.differences);
  return [
    drift.differenceCount === 0
      ? passed('drift', 'tuples', `the database and OpenFGA agree: ${read}`)
      : failed('drift', 'tuples', differ, fix),
    ...drift.notCompared.map(({ organizationId, reason }) => (
      failed('drift', `organization ${organizationId}`, `not compared: ${reason}`, 'Remove the cause, then try again.')
    )),
    behind === ''
      ? passed('drift', 'sequences', 'no id sequence would issue a used id again')
      : failed('drift', 'sequences', `id sequences that would issue a used id again: ${behind}`, fix),
  ];
}

function examples(differences: Awaited<ReturnType<Admin['checkDrift']>>['differences']): string {
  return differences.map(({ kind, tuple }) => {
    const word = kind === DifferenceKind.DIFFERENCE_KIND_MISSING ? 'missing' : 'unexpected';
    return `${word}: ${tuple?.object}#${tuple?.relation}@${tuple?.user}`;
  }).join('; ');
}

export type Repair = Awaited<ReturnType<Admin['repairDrift']>>;

/** Repairs the engine, the id sequences and the message bus, and shows the progress. @throws Fault */
export async function repairDrift(admin: Admin): Promise<Repair> {
  const repairing = step('Repairing the authorization engine');
  const repaired = new AbortController();
  const tick = () => pause(3_000, repaired.signal);
  const watch = async (): Promise<void> => {
    for (await tick(); !repaired.signal.aborted; await tick()) {
      const status = await admin.getStatus({}, operatorCall(answerMs)).catch(() => undefined);
      if (status !== undefined) repairing.reached(`${status.pendingUnits} changes are left to write`);
    }
  };
  const watching = watch();
  try {
    return await admin.repairDrift({}, operatorCall(driftPatienceMs));
  } finally {
    repaired.abort();
    await watching;
  }
}
