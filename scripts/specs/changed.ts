import { runNode } from '../checks/run-command.ts';

const nx = 'node_modules/nx/dist/bin/nx.js';

/**
 * Names of the projects that the changes since this branch left `main` can affect, including uncommitted changes.
 *
 * @throws Error if Nx fails, for example in a clone without `main`.
 */
export async function changedProjects(): Promise<string[]> {
  const affected = [nx, 'show', 'projects', '--affected', '--base=main', '--json'];
  const { code, output } = await runNode(affected, { show: 'keep' });
  if (code !== 0) throw new Error(`Nx cannot list the affected projects:\n${output}`);
  return JSON.parse(output.slice(output.indexOf('['))) as string[];
}
