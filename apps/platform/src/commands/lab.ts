import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startLab } from '@platform/lab';
import { CommandFault } from '../command-fault.ts';
import { stateHome } from '../home.ts';
import { claimState } from '../claim.ts';
import type { Environment } from '../settings.ts';
import { listenForStop } from '../stop-request.ts';
import type { Output } from '../output.ts';
import { writePrivately } from '../private-file.ts';

/**
 * Runs the Kubernetes lab in the foreground until a signal (operator.md §3). The data of the lab is in `lab` in the
 * state folder. While the lab runs, `lab.json` in the state folder lists the clusters of the lab.
 * @throws BackingFault when the lab cannot be built or started; CommandFault when a process of the lab ended, or when
 *   another lab runs on this state folder
 */
export async function labUp(
  { spokes, nodes }: { readonly spokes: number; readonly nodes: boolean }, environment: Environment, output: Output,
): Promise<void> {
  const stop = listenForStop();
  const home = stateHome(environment);
  const folder = join(home, 'lab');
  const labFile = join(home, 'lab.json');
  await using _claim = await claimState(folder, 'lab');
  await rm(labFile, { force: true });
  try {
    const options = { home: folder, spokes, node: nodes, environment, report: output.say, signal: stop.signal };
    await using lab = await startLab(options);
    const clusters = { hub: lab.hub, spokes: lab.spokes };
    await writePrivately(labFile, `${JSON.stringify(clusters, undefined, 2)}\n`);
    output.answer(clusters, () => []);
    const broken = await Promise.race([stop.requested, lab.broken]);
    output.say('Stopping …');
    if (broken !== undefined) {
      throw new CommandFault(`The process ${broken} of the lab ended`, `Its log in ${join(folder, 'logs')} says why.`);
    }
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    await rm(labFile, { force: true });
  }
}
