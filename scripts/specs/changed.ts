import { runNode } from '../checks/run-command.ts';

const nx = 'node_modules/nx/dist/bin/nx.js';

/**
 * Names of the projects that a change can affect. The change is the difference from the commit at which this branch
 * left `main`, committed or not.
 *
 * @throws Error if Nx cannot tell, such as in a clone without `main`.
 */
export async function changedProjects(): Promise<string[]> {
  const affected = [nx, 'show', 'projects', '--affected', '--base=main', '--json'];
  const { code, output } = await runNode(affected, { show: 'keep' });
  if (code !== 0) throw new Error(`Nx cannot tell what changed:\n${output}`);
  return JSON.parse(output.slice(output.indexOf('['))) as string[];
}
