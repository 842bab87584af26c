import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** How a bound method is called over REST, and what it answers: the API's documentation, and tried by a test. */
export interface Example {
  /** Who calls in that test; the owner of the organization when left out. */
  readonly as?: 'owner' | 'site admin' | 'nobody';
  /** Of path and query, by name. */
  readonly parameters?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: unknown;
  /** The body of the success; none where that is empty or no JSON. Long lists and texts are cut. */
  readonly answer?: unknown;
}

const protos = join(import.meta.dirname, '../../../proto');

/** The files of examples beside the protos, in the order in which they are tried. */
export const exampleFiles: readonly string[] = globSync('**/*.examples.json', { cwd: protos })
  .sort()
  .map((file) => join(protos, file));

/**
 * The examples by the full name of their method, in the order of the files. `team.examples.json` beside `team.proto`
 * names them `TeamService.GetTeam`.
 */
export async function readExamples(): Promise<ReadonlyMap<string, Example>> {
  const files = await Promise.all(
    exampleFiles.map(async (file) => {
      const area = dirname(file).slice(protos.length + 1).replaceAll('/', '.');
      const examples = JSON.parse(await readFile(file, 'utf8')) as Record<string, Example>;
      return Object.entries(examples).map(([name, example]) => [`${area}.${name}`, example] as const);
    }),
  );
  return new Map(files.flat());
}
