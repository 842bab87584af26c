import { CommandFault } from '../command-fault.ts';
import { stateHome } from '../home.ts';
import { runningLauncher } from '../launcher/claim.ts';
import type { Environment } from '../launcher/settings.ts';
import { columns, type Output } from '../output.ts';
import { askReadiness, type PartReadiness } from '../part-readiness.ts';
import { type PartStatus, readPartsFile } from '../parts-file.ts';
import { readRunFile, type RunFile } from '../run-file.ts';

/** One part as `status` shows it. */
export type ReportedPart = PartStatus & PartReadiness;

/** The platform on a state folder, asked now. */
export interface PlatformStatus {
  readonly home: string;
  /** Undefined while it starts. */
  readonly run: RunFile | undefined;
  readonly parts: readonly ReportedPart[];
}

/** @throws CommandFault when none runs */
export async function readStatus(environment: Environment): Promise<PlatformStatus> {
  const home = stateHome(environment);
  if ((await runningLauncher(home)) === undefined) {
    throw nothingRuns(home);
  }
  const run = await readRunFile(home);
  const statuses = (await readPartsFile(home))?.parts ?? [];
  const parts = await Promise.all(statuses.map(async (part) => {
    return { ...part, ...(await askReadiness(part, run, home)) };
  }));
  return { home, run, parts };
}

export function nothingRuns(home: string): CommandFault {
  return new CommandFault(`No platform runs on ${home}`, 'Start it with `npm start`.');
}

/**
 * `platform status`: `run.json` plus `state` (`starting`, `running`, `stopped`) and `parts`.
 * @throws CommandFault when none runs, which a program is answered first
 */
export async function status(environment: Environment, output: Output): Promise<void> {
  const { home, run, parts } = await readStatus(environment).catch((error: unknown) => {
    if (output.json && error instanceof CommandFault) output.answer({ state: 'stopped', parts: [] }, () => []);
    throw error;
  });
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
