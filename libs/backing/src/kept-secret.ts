import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { BackingFault } from './fault.ts';
import { keepFile } from './keep-file.ts';

export interface SecretOptions {
  /** Makes it the first time; default: 32 random bytes as hex. */
  readonly make?: () => string | Promise<string>;
  /** Its users get it at each start, so that another may take its place. Default false. */
  readonly renewable?: boolean;
}

/**
 * The secret in this file, made when there is none. One that is there and empty is never replaced: a server, or what
 * is stored, may know what it was.
 * @throws BackingFault STATE_UNUSABLE
 */
export async function keptSecret(file: string, options: SecretOptions = {}): Promise<string> {
  const kept = (await readSecret(file)) ?? (await makeSecret(file, options.make ?? randomSecret));
  if (kept.trim() === '') throw damagedSecret(file, 'is empty', options);
  return kept;
}

/** A secret that cannot be what was once kept. @param what is wrong with it, without its content */
export function damagedSecret(file: string, what: string, { renewable = false }: SecretOptions = {}): BackingFault {
  const cure = renewable
    ? 'Remove this file: the next start makes another.'
    : 'Put it back from a copy of the state folder; without one, `npm start -- --reset` starts again without data.';
  return new BackingFault('STATE_UNUSABLE', `The secret ${file} ${what}.`, cure);
}

async function readSecret(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    const message = `The secret ${file} cannot be read: ${(error as Error).message}.`;
    throw new BackingFault('STATE_UNUSABLE', message, 'Start as the owner of the file.', { cause: error });
  }
}

/** What is in the file afterwards: another may have made it first. */
async function makeSecret(file: string, make: () => string | Promise<string>): Promise<string> {
  await keepFile(file, await make());
  return await readFile(file, 'utf8');
}

function randomSecret(): string {
  return randomBytes(32).toString('hex');
}
