import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BackingFault, findServers } from '@platform/backing';

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

/** Names of the projects whose specs need servers (`metadata.servers` in project.json). */
export function projectsWithServers(): string[] {
  return globSync('{libs,apps}/*/project.json', { cwd: root })
    .map((file) => JSON.parse(readFileSync(join(root, file), 'utf8')) as ProjectFile)
    .filter(({ metadata }) => (metadata?.servers ?? []).length > 0)
    .map(({ name }) => name)
    .sort();
}

/** Finds PostgreSQL, NATS and OpenFGA, building what is missing once per user; progress goes to the console. */
export async function serversFound(signal: AbortSignal): Promise<ServersFound> {
  try {
    await findServers({ environment: process.env, report: (line) => console.log(line), signal });
    return { found: true };
  } catch (error) {
    if (error instanceof BackingFault) {
      return { found: false, missing: error.reason === 'SERVER_MISSING', line: `${error.message} ${error.cure}` };
    }
    throw error;
  }
}
