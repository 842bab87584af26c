import { setTimeout as pause } from 'node:timers/promises';

import { joined } from '../checks/jest-totals.ts';
import type { serversFor, ServersFound } from './find-servers.ts';
import { type JestRun, runJest, type Stage } from './run-jest.ts';

/** Time in milliseconds. If the servers are not found within this time, they are probably being built. */
const foundMs = 5_000;

/**
 * Runs jest once if the servers and the lab are found quickly. Otherwise, runs jest for the specs without servers
 * first. The specs with servers follow, and the specs with the Kubernetes lab come last.
 *
 * @param missing called with the reason if specs are left out
 */
export async function runSpecs(
  { servers, lab }: ReturnType<typeof serversFor>,
  jestArguments: readonly string[],
  missing: (found: Exclude<ServersFound, { found: true }>) => void,
  signal: AbortSignal,
): Promise<JestRun> {
  const runs: JestRun[] = [];
  const run = async (stage: Stage): Promise<void> => {
    if (!signal.aborted) runs.push(await runJest(stage, jestArguments));
  };
  const there = await Promise.race([lab, pause(foundMs, undefined, { ref: false })]);
  if (there?.found === true) {
    await run('all');
  } else {
    await run('no-servers');
    const found = await servers;
    if (found.found) await run('servers');
    else missing(found);
    const foundLab = await lab;
    if (foundLab.found) await run('lab');
    else if (found.found) missing(foundLab);
  }
  return {
    report: joined(runs.map(({ report }) => report)),
    code: runs.find(({ code }) => code !== 0)?.code ?? (signal.aborted ? null : 0),
  };
}
