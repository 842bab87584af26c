import { CommandFault } from '../command-fault.ts';
import { stateHome } from '../home.ts';
import { runningLauncher } from '../claim.ts';
import type { Environment } from '../settings.ts';
import { columns, type Output } from '../output.ts';
import { askReadiness, type ReportedPart } from '../part-readiness.ts';
import { step } from '../progress.ts';
import { partsFilePath, readPartsFile } from '../parts-file.ts';
import { startAgain } from '../private-file.ts';
import { readRunFile, type RunFile } from '../run-file.ts';

/**
 * Returns undefined if no platform runs. While a platform starts, `run` is undefined.
 * @throws CommandFault when a file of the launcher is damaged or unreadable, or when the parts file of a started
 *   platform is missing
 */
export async function readStatus(
  home: string,
): Promise<{ readonly run: RunFile | undefined; readonly parts: readonly ReportedPart[] } | undefined> {
  if ((await runningLauncher(home)) === undefined) return undefined;
  const run = await readRunFile(home);
  const statuses = (await readPartsFile(home))?.parts;
  if (run !== undefined && statuses === undefined) throw new CommandFault(`${partsFilePath(home)} is gone`, startAgain);
  const asked = (statuses ?? []).map(async (part) => ({ ...part, ...(await askReadiness(part, run, home)) }));
  return { run, parts: await Promise.all(asked) };
}

export function nothingRuns(home: string): CommandFault {
  return new CommandFault(`No platform runs with the state folder ${home}`, 'Start it with `npm start`.');
}

/**
 * `platform status`: prints the state of the platform and of its parts. With `--json`, prints `state` (`starting`,
 * `running` or `stopped`) and `parts`. If `state` is `running`, also prints the content of `run.json`.
 * @throws CommandFault if no platform runs; also the faults of {@link readStatus}
 */
export async function status(environment: Environment, output: Output): Promise<void> {
  const home = stateHome(environment);
  step('Asking the parts');
  const found = await readStatus(home);
  if (found === undefined) {
    if (output.json) output.answer({ state: 'stopped', parts: [] }, () => []);
    throw nothingRuns(home);
  }
  const { run, parts } = found;
  const state = run === undefined ? 'starting' : 'running';
  output.answer({ ...run, state, parts }, () => [
    run === undefined ? `The platform on ${home} is starting.` : `The platform on ${home} answers at ${run.baseUrl}.`,
    ...columns([['part', 'state', 'ready', 'pid', 'restarts', 'since', 'metrics', ''], ...parts.map(row)]),
  ]);
}

function row({ name, state, ready, pid, restarts, since, admin, reason, lastExit }: ReportedPart): string[] {
  const why = [reason === state ? undefined : reason, lastExit === undefined ? undefined : `last ended: ${lastExit}`];
  const remarks = why.filter((text) => text !== undefined).join('; ');
  const metrics = admin === undefined ? '-' : `http://${admin}/metrics`;
  return [name, state, ready ? 'yes' : 'no', String(pid ?? '-'), String(restarts), since, metrics, remarks];
}
