import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BackingFault, findServers } from '@platform/backing';
import { labBinary } from '@platform/lab';

import { root } from './run-command.ts';

/** Whether the specs that need servers can run, and if not, why. */
export type ServersFound =
  | { found: true }
  /** The machine lacks what it takes: said in a line, no failure except where everything must be there (CI). */
  | { found: false; missing: boolean; line: string };

interface ProjectFile {
  name: string;
  metadata?: { servers?: string[] };
}

/** Names of the projects whose specs need servers, or this server (`metadata.servers` in project.json). */
export function projectsWithServers(server?: string): string[] {
  return globSync('{libs,apps}/*/project.json', { cwd: root })
    .map((file) => JSON.parse(readFileSync(join(root, file), 'utf8')) as ProjectFile)
    .filter(({ metadata }) => metadata?.servers?.some((name) => server === undefined || name === server))
    .map(({ name }) => name)
    .sort();
}

/**
 * Finds PostgreSQL, NATS and OpenFGA, and the Kubernetes lab where the specs of this run use it. Builds what is
 * missing, once per user; progress goes to the console.
 * @param project the one project that runs; all when undefined
 */
export async function serversFound(project: string | undefined, signal: AbortSignal): Promise<ServersFound> {
  const options = { environment: process.env, report: (line: string) => console.log(line), signal };
  const withLab = projectsWithServers('lab');
  try {
    await findServers(options);
    if (project === undefined ? withLab.length > 0 : withLab.includes(project)) await labBinary(options);
    return { found: true };
  } catch (error) {
    if (error instanceof BackingFault) {
      return { found: false, missing: error.reason === 'SERVER_MISSING', line: `${error.message} ${error.cure}` };
    }
    throw error;
  }
}
