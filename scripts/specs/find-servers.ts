import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BackingFault, findServers, type FindOptions } from '@platform/backing';
import { labBinary } from '@platform/lab';
import { serversAreInContainers } from '@platform/testing';

import { root } from '../checks/run-command.ts';

/** Whether the specs that need servers can run, with the reason if not. */
export type ServersFound =
  | { found: true }
  /** `missing`: the machine lacks something that the servers need. `line`: the reason and the cure. */
  | { found: false; missing: boolean; line: string };

interface ProjectFile {
  name: string;
  metadata?: { servers?: string[] };
}

/** Returns the projects whose specs need any server, or the given server (`metadata.servers` in project.json). */
export function projectsWithServers(server?: string): string[] {
  return globSync('{libs,apps}/*/project.json', { cwd: root })
    .map((file) => JSON.parse(readFileSync(join(root, file), 'utf8')) as ProjectFile)
    .filter(({ metadata }) => metadata?.servers?.some((name) => server === undefined || name === server))
    .map(({ name }) => name)
    .sort();
}

/**
 * Finds the servers and the Kubernetes lab that the specs of some projects need. Builds missing servers.
 *
 * @param projects projects to run; undefined: all
 * @returns promises for the servers and for the lab
 */
export function serversFor(
  projects: readonly string[] | undefined,
  signal: AbortSignal,
): { servers: Promise<ServersFound>; lab: Promise<ServersFound> } {
  const needs = (server?: string): boolean =>
    projectsWithServers(server).some((name) => projects === undefined || projects.includes(name));
  const options: FindOptions = { environment: process.env, report: (line) => console.log(line), signal };
  // A spec that starts its own servers finds the programs of the servers itself.
  const servers = found(needs() && !serversAreInContainers() && (() => findServers(options)));
  const lab = servers.then((before) => before.found ? found(needs('lab') && (() => labBinary(options))) : before);
  return { servers, lab };
}

async function found(find: false | (() => Promise<unknown>)): Promise<ServersFound> {
  try {
    if (find !== false) await find();
    return { found: true };
  } catch (error) {
    if (error instanceof BackingFault) {
      return { found: false, missing: error.reason === 'SERVER_MISSING', line: `${error.message} ${error.cure}` };
    }
    throw error;
  }
}
