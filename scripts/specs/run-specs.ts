import { setTimeout as pause } from 'node:timers/promises';

import { joined } from '../checks/jest-totals.ts';
import type { serversFor, ServersFound } from './find-servers.ts';
import { type JestRun, runJest, type Stage } from './run-jest.ts';

/** If the servers are not found within this time, they are being built. */
const foundMs = 5_000;

/**
 * Runs jest over all specs: once if the servers exist. If they must be built first, specs without servers run
 * meanwhile, and the Kubernetes lab, which takes longest, is built while the specs without the lab run.
 *
 * @param missing called before the first jest ends, with the reason why specs are left out
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
