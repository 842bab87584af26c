import { appendFileSync } from 'node:fs';
import { BackingFault, createReaper, openState } from '@platform/backing';
import { CommandFault } from '../command-fault.ts';
import { stateHome } from '../home.ts';
import { claimState } from '../claim.ts';
import { rotateLogs } from '../launcher/log-rotation.ts';
import { type Platform, startPlatform } from '../launcher/platform.ts';
import type { PlatformOptions } from '../launcher/platform-options.ts';
import { assertPortFree } from '../launcher/ports.ts';
import { createProgress } from '../launcher/progress.ts';
import { type Environment, type LauncherSettings, readLauncherSettings } from '../settings.ts';
import { listenForStop } from '../stop-request.ts';
import { summary } from './up-summary.ts';
import type { Output } from '../output.ts';
import { removeRunFile, writeRunFile } from '../run-file.ts';
import { openStateFolder } from '../state-folder.ts';

const mostLogBytes = 16 * 1024 * 1024;
const rotateEveryMs = 30_000;
const attempts = 3;

/**
 * Runs the whole platform in the foreground until a signal. A signal during the start is not an error. Before
 * this function returns or throws, it stops all parts that it started.
 * @throws the error that made the start fail; CommandFault with the names of the parts that did not stop cleanly
 */
export async function up(
  { port, reset }: { readonly port?: number; readonly reset: boolean }, environment: Environment, output: Output,
): Promise<void> {
  const begun = performance.now();
  const stop = listenForStop();
  const home = stateHome(environment);
  const { logFile } = await openState(home);
  await using _claim = await claimState(home);
  await removeRunFile(home);
  const report = reporter(output, logFile('launcher'));
  const given: Environment = { ...environment, ...(port !== undefined && { PLATFORM_HTTP_PORT: String(port) }) };
  const settings = readLauncherSettings(home, given, report);
  if (reset) assertResettable(settings);
  if (settings.httpPort !== 0) {
    await assertPortFree(settings.httpHost, settings.httpPort, '--port or PLATFORM_HTTP_PORT');
  }
  if (settings.listenerPort !== 0) {
    await assertPortFree(settings.httpHost, settings.listenerPort, 'PLATFORM_MARKETPLACE_LISTENER_PORT');
  }
  const state = await openStateFolder(home, { reset });
  await using reaper = createReaper();
  const progress = createProgress(report);
  report(`Starting the platform with the state folder ${home}`);
  let platform: Platform;
  try {
    platform = await startWithFreePorts({ settings, environment: given, state, reaper, progress, signal: stop.signal });
  } catch (error) {
    if (stop.signal.aborted) return report('Stopped during the start.');
    throw error;
  }
  const rotation = setInterval(() => {
    rotateLogs(state.logs, mostLogBytes).catch((error: Error) => report(`Logs were not rotated: ${error.message}.`));
  }, rotateEveryMs);
  let disorderly: readonly string[];
  try {
    await writeRunFile(home, platform.run);
    output.answer(platform.run, () => summary(platform.run, settings, (performance.now() - begun) / 1_000));
    await stop.requested;
    report('Stopping …');
  } finally {
    clearInterval(rotation);
    await removeRunFile(home);
    disorderly = await platform.stop();
  }
  if (disorderly.length > 0) {
    const limit = 'The setting stop.timeout limits how long a service may take to stop.';
    const message = `Stopped, but not cleanly: ${disorderly.join(', ')}`;
    throw new CommandFault(message, `See their logs in ${state.logs}. ${limit}`);
  }
  report('Stopped.');
}

/** Starts the platform. If another process has taken a planned port, tries again with other ports, at most twice. */
async function startWithFreePorts(options: PlatformOptions): Promise<Platform> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startPlatform(options);
    } catch (error) {
      const lost = error instanceof BackingFault && error.reason === 'PORT_TAKEN';
      if (!lost || attempt === attempts || options.signal.aborted) throw error;
      options.progress.report(`${error.message} Starting again with other ports.`);
    }
  }
}

/**
 * Refuses `--reset` if the platform uses servers that the launcher does not run. The launcher cannot empty these
 * servers. The reset would delete the keys, and then nobody could decrypt the secrets on these servers.
 */
function assertResettable({ givenServers }: LauncherSettings): void {
  const names = Object.keys(givenServers).filter((name) => name.endsWith('_URL'));
  if (names.length === 0) return;
  throw new CommandFault(
    `--reset cannot empty servers that the launcher does not run (${names.join(', ')})`,
    'Remove the data of the platform from these servers, then delete the state folder.',
  );
}

/** Returns a function that prints a line and appends the line to the log file. */
function reporter(output: Output, file: string): (line: string) => void {
  let isKept = true;
  return (line) => {
    output.say(line);
    try {
      appendFileSync(file, `${new Date().toISOString()} ${line.trim()}\n`, { mode: 0o600 });
      isKept = true;
    } catch (error) {
      // The platform continues without the log. Of several failures in a row, report only the first.
      if (isKept) output.say(`The log cannot be written to ${file}: ${(error as Error).message}.`);
      isKept = false;
    }
  };
}
