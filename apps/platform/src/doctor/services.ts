import { type AdminServiceService, DifferenceKind, type GetStatusResponse } from '@platform/proto/orgs/v1/admin';
import type { DecisionServiceService } from '@platform/proto/authz/v1/decision';
import type { RpcClient } from '@platform/rpc';
import { platformVersion } from '@platform/service';
import { operatorCall } from '../commands/operator-client.ts';
import { explain } from '../command-fault.ts';
import type { ReportedPart } from '../commands/status.ts';
import { type CheckOutcome, failed, passed } from './check.ts';

type Admin = RpcClient<typeof AdminServiceService>;
type Decisions = RpcClient<typeof DecisionServiceService>;

/** A unit that waits longer than this, in seconds, is not just on its way. */
const patienceSeconds = 30;
/** A comparison of everything reads every tuple. */
const driftPatienceMs = 600_000;

/** Whether each part runs and answers. */
export function checkParts(parts: readonly ReportedPart[]): CheckOutcome[] {
  return parts.map((part) => {
    const restarts = part.restarts === 0 ? '' : `, started again ${part.restarts} times, last ended with ${part.lastExit}`;
    if (part.ready) return passed('parts', part.name, `${part.state}${restarts}`);
    const found = `not ready: ${part.reason ?? 'unknown'}${restarts}`;
    return failed('parts', part.name, found, `logs/${part.name}.log in the state folder says why.`);
  });
}

/** Schema, pending work and administrators, as orgs-teams knows them. */
export async function checkOrganizations(admin: Admin): Promise<CheckOutcome[]> {
  try {
    return describeStatus(await admin.getStatus({}, operatorCall()));
  } catch (error) {
    return [failed('migrations', 'orgs-teams', explain(error), 'Look at `platform status` and logs/orgs-teams.log.')];
  }
}

function describeStatus(status: GetStatusResponse): CheckOutcome[] {
  const open = status.migrations.filter(({ appliedAt }) => appliedAt === '').map(({ name }) => name);
  const pending = `${status.pendingUnits} waiting, the oldest for ${status.oldestPendingSeconds} s`;
  return [
    status.version === platformVersion
      ? passed('migrations', 'version', status.version)
      : failed('migrations', 'version', `orgs-teams is ${status.version}, this is ${platformVersion}`, 'Start again.'),
    open.length === 0
      ? passed('migrations', 'orgs-teams', `${status.migrations.length} applied`)
      : failed('migrations', 'orgs-teams', `not applied: ${open.join(', ')}`, 'Start the platform again: it migrates.'),
    status.siteAdmins > 0
      ? passed('state', 'site admins', String(status.siteAdmins))
      : failed('state', 'site admins', 'nobody can administer the site', '`platform admin user create --admin …`.'),
    status.oldestPendingSeconds <= patienceSeconds
      ? passed('drift', 'pending', pending)
      : failed('drift', 'pending', pending, 'Look at OpenFGA and authz (`platform status`); it goes on by itself.'),
    ...status.failingUnits.map(({ organizationId, unit, attempts, cause }) => failed(
      'drift',
      `organization ${organizationId}, ${unit}`,
      `failed ${attempts} times: ${cause}`,
      'Remove the cause, then `platform doctor --repair`.',
    )),
  ];
}

/** Whether authz has a model to decide by. */
export async function checkModel(decisions: Decisions): Promise<CheckOutcome[]> {
  try {
    const { storeId, modelId } = await decisions.getModel({}, operatorCall());
    return [passed('model', 'authz', `model ${modelId} in store ${storeId}`)];
  } catch (error) {
    return [failed('model', 'authz', explain(error), 'Look at `platform status` and logs/authz.log.')];
  }
}

/** Whether the engine holds what the rows ask for. */
export async function checkDrift(admin: Admin): Promise<CheckOutcome[]> {
  const fix = '`platform doctor --repair`.';
  try {
    const drift = await admin.checkDrift({ organizationId: 0, limit: 5 }, operatorCall(driftPatienceMs));
    const behind = drift.sequencesBehind.join(', ');
    const read = `${drift.organizationsChecked} organizations, ${drift.tuplesRead} tuples`;
    return [
      drift.differenceCount === 0
        ? passed('drift', 'tuples', `rows and engine agree: ${read}`)
        : failed('drift', 'tuples', `${drift.differenceCount} differences, such as ${examples(drift.differences)}`, fix),
      behind === ''
        ? passed('drift', 'sequences', 'above every id known to the engine')
        : failed('drift', 'sequences', `below an id known to the engine: ${behind}`, fix),
    ];
  } catch (error) {
    return [failed('drift', 'tuples', explain(error), 'Look at `platform status`, then try again.')];
  }
}

type Differences = Awaited<ReturnType<Admin['checkDrift']>>['differences'];

function examples(differences: Differences): string {
  return differences.map(({ kind, tuple }) => {
    const word = kind === DifferenceKind.DIFFERENCE_KIND_MISSING ? 'missing' : 'too much';
    return `${word}: ${tuple?.object}#${tuple?.relation}@${tuple?.user}`;
  }).join('; ');
}

/** What `--repair` did. */
export type Repair = Awaited<ReturnType<Admin['repairDrift']>>;

/** Puts the engine right. @throws Fault */
export async function repairDrift(admin: Admin): Promise<Repair> {
  return admin.repairDrift({}, operatorCall(driftPatienceMs));
}
