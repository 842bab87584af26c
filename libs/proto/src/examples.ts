import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** An example of a REST request and its answer. The documentation shows it, and a test runs it. */
export interface Example {
  /** The caller when the test runs this example. Default: the owner of the organization. */
  readonly as?: 'owner' | 'site admin' | 'nobody';
  /** Parameters of path and query, by name. */
  readonly parameters?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: unknown;
  /**
   * The body of a successful answer. Long lists and texts are cut, and values that differ in each run are replaced.
   * Absent if the body is empty or not JSON.
   */
  readonly answer?: unknown;
}

const protos = join(import.meta.dirname, '../../../proto');

/** Absolute paths of the files with examples in proto/, sorted. The test of the examples runs them in this order. */
export const exampleFiles: readonly string[] = globSync('**/*.examples.json', { cwd: protos })
  .sort()
  .map((file) => join(protos, file));

/**
 * Reads all examples, by the full name of their method. The folder of a file gives the package. A key in the file has
 * the form `TeamService.GetTeam`.
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
