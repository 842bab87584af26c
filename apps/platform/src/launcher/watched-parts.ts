import { coalesce, services } from '@platform/service';
import { type PartStatus, writePartsFile } from '../parts-file.ts';
import type { BackingServer } from './backing-servers.ts';
import { type Part, supervise, type SupervisedPart } from './supervisor.ts';

const stopPhases: readonly (readonly string[])[] = [
  ['gateway'],
  services.map(({ name }) => name).filter((name) => name !== 'gateway'),
  ['openfga', 'nats'],
  ['postgres'],
];

/** Supervises the parts of a platform, and keeps their present status in `parts.json`. */
export function watchedParts(servers: readonly BackingServer<unknown>[], home: string, report: (line: string) => void) {
  const startedAt = new Date().toISOString();
  const parts: SupervisedPart[] = [];
  const foreign = servers.filter(({ part }) => part === undefined)
    .map(({ name }): PartStatus => ({ name, state: 'external', restarts: 0, since: startedAt }));
  const note = coalesce(async (folder: string) => {
    const statuses = [...parts.map((part) => part.status()), ...foreign];
    await writePartsFile(folder, { launcher: { pid: process.pid, startedAt }, parts: statuses })
      .catch((error: Error) => report(`Cannot write the state of the parts: ${error.message}.`));
  });
  return {
    add: (part: Part): SupervisedPart => {
      const added = supervise(part, { report, changed: () => void note(home) });
      parts.push(added);
      return added;
    },
    /**
     * Stops the parts phase by phase. Each part gets its full time to stop.
     * @returns the parts that did not end cleanly, such as `orgs-teams (SIGKILL)`
     */
    stop: async (): Promise<readonly string[]> => {
      for (const part of parts) part.retire();
      const disorderly: string[] = [];
      for (const phase of stopPhases) {
        await Promise.all(parts.filter(({ name }) => phase.includes(name)).map(async (part) => {
          const end = await part.stop();
          if (end !== undefined) disorderly.push(`${part.name} (${end})`);
        }));
      }
      await note(home);
      return disorderly;
    },
  };
}
