import { isAbsolute, join, resolve } from 'node:path';
import { environmentName } from '@platform/service/basics';

/** The root of the repository, in which `npm start` runs. */
export const projectRoot = resolve(import.meta.dirname, '../../..');

/**
 * The state folder: `PLATFORM_HOME`, else `.platform` in {@link projectRoot}. A relative path starts at the folder in
 * which the user ran the command.
 */
export function stateHome(environment: Readonly<Record<string, string | undefined>>): string {
  const named = environment[environmentName('home')]?.trim() ?? '';
  if (named === '') return join(projectRoot, '.platform');
  return isAbsolute(named) ? named : resolve(environment['INIT_CWD'] ?? process.cwd(), named);
}
