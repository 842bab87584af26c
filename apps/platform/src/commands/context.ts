import { CommandFault } from '../command-fault.ts';
import { readContexts, writeContexts } from '../contexts-file.ts';
import type { Environment } from '../settings.ts';
import { columns, type Output } from '../output.ts';

/**
 * `platform context list`: prints all contexts, without tokens. With `--json`, prints
 * `{"current", "contexts": [{"name", "baseUrl"}]}`.
 */
export async function listContexts(environment: Environment, output: Output): Promise<void> {
  const { current, contexts } = await readContexts(environment);
  const listed = Object.entries(contexts).map(([name, { baseUrl }]) => ({ name, baseUrl }));
  output.answer({ current, contexts: listed }, () => listed.length === 0
    ? ['There is no context. Sign in with `platform login ADDRESS`.']
    : columns(listed.map(({ name, baseUrl }) => [name === current ? '*' : '', name, baseUrl])));
}

/**
 * `platform context use NAME`: makes a context the current one. With `--json`, prints `{"current"}`.
 * @throws CommandFault, for example if there is no such context
 */
export async function useContext(name: string, environment: Environment, output: Output): Promise<void> {
  const { contexts } = await readContexts(environment);
  refuseUnknown(contexts, name);
  await writeContexts(environment, { current: name, contexts });
  output.answer({ current: name }, () => [`${name} is in use.`]);
}

/**
 * `platform context remove NAME`: removes a context. With `--json`, prints `{"removed"}`.
 * @throws CommandFault, for example if there is no such context
 */
export async function removeContext(name: string, environment: Environment, output: Output): Promise<void> {
  const { current, contexts } = await readContexts(environment);
  refuseUnknown(contexts, name);
  const left = Object.fromEntries(Object.entries(contexts).filter(([other]) => other !== name));
  await writeContexts(environment, { current: current === name ? '' : current, contexts: left });
  output.answer({ removed: name }, () => [`${name} is forgotten.`]);
}

function refuseUnknown(contexts: Readonly<Record<string, unknown>>, name: string): void {
  if (!Object.hasOwn(contexts, name)) throw new CommandFault(`There is no context ${name}`, 'See `platform context list`.');
}
