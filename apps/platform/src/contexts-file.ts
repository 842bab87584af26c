import { mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CommandFault } from './command-fault.ts';
import type { Environment } from './settings.ts';
import { areTexts, readKept, writePrivately } from './private-file.ts';

interface Context {
  /** Such as `https://platform.example.org`, without a slash at the end. */
  readonly baseUrl: string;
  readonly token: string;
}

/** The content of `contexts.json`: the name of the current context (empty without one), and all contexts by name. */
export interface Contexts {
  readonly current: string;
  readonly contexts: Readonly<Record<string, Context>>;
}

/** Returns the path `$XDG_CONFIG_HOME/platform/contexts.json`. `XDG_CONFIG_HOME` defaults to `~/.config`. */
function contextsFile(environment: Environment): string {
  const home = environment['XDG_CONFIG_HOME'] || join(environment['HOME'] || homedir(), '.config');
  return join(home, 'platform', 'contexts.json');
}

/** @throws CommandFault when the file cannot be read, or is damaged */
export async function readContexts(environment: Environment): Promise<Contexts> {
  const cure = 'Remove the file, then sign in again with `platform login`.';
  return (await readKept(contextsFile(environment), isContexts, cure)) ?? { current: '', contexts: {} };
}

export async function writeContexts(environment: Environment, contexts: Contexts): Promise<void> {
  const file = contextsFile(environment);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writePrivately(file, `${JSON.stringify(contexts, undefined, 2)}\n`);
}

/**
 * Returns the named context. Without a name, uses the name in `PLATFORM_CONTEXT`, or else the current context.
 * @throws CommandFault, for example if there is no such context
 */
export async function contextInUse(environment: Environment, name: string | undefined): Promise<Context> {
  const { contexts, current } = await readContexts(environment);
  const wanted = name ?? environment['PLATFORM_CONTEXT'] ?? current;
  const found = Object.hasOwn(contexts, wanted) ? contexts[wanted] : undefined;
  if (found !== undefined) return found;
  if (wanted === '') throw new CommandFault('You are not signed in', 'Sign in with `platform login ADDRESS`.');
  throw new CommandFault(`There is no context ${wanted}`, 'See `platform context list`, or sign in with `platform login`.');
}

function isContexts(content: unknown): content is Contexts {
  const { current, contexts } = (content ?? {}) as Partial<Contexts>;
  return typeof current === 'string' && typeof contexts === 'object' && contexts !== null
    && Object.values(contexts).every((one) => areTexts(one?.baseUrl, one?.token));
}
