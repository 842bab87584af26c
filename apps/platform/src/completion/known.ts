import { routes } from '@platform/client';
import { commandOf, isOperation } from '../commands/api-command.ts';
import { readContexts } from '../contexts-file.ts';
import type { Environment } from '../settings.ts';
import type { Candidate, Known } from './completions.ts';

/** Returns the operations of the API, and the contexts that `platform login` stored. */
export async function readKnown(environment: Environment): Promise<Known> {
  // Completion ignores a damaged `contexts.json`. A command that uses the file reports the damage.
  const { contexts } = await readContexts(environment).catch(() => ({ contexts: {} }));
  const named = Object.entries(contexts).map(([value, { baseUrl }]): Candidate => ({ value, about: baseUrl }));
  const operations = Object.entries(routes)
    .map(([value, { verb, path }]): Candidate => ({ value, about: `${verb} ${path}` }));
  return {
    values: (command, name) => {
      if (command === 'api' && name === 'operation') return operations;
      const isContext = command.startsWith('context ') ? name === 'name' : command === 'api' && name === 'context';
      return isContext ? named : undefined;
    },
    behind: (command, argument) => command === 'api' && isOperation(argument) ? commandOf(argument) : undefined,
  };
}
