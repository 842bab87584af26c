import { randomBytes } from 'node:crypto';
import { link, open, readFile, unlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { BackingFault } from './fault.ts';

export interface SecretOptions {
  /** Makes it the first time; default: 32 random bytes as hex. */
  readonly make?: () => string | Promise<string>;
  /** Whoever needs it is told it at each start, so that another may take its place. Default false. */
  readonly renewable?: boolean;
}

/**
 * The secret in this file, made when there is none. One that is there and empty is never made anew: a server, or what
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
    : 'Put it back from a copy of the state folder; without one, `npm start -- --reset` begins anew, without any data.';
  return new BackingFault('STATE_UNUSABLE', `The secret ${file} ${what}.`, cure);
}

async function readSecret(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    const message = `The secret ${file} cannot be read: ${(error as Error).message}.`;
    throw new BackingFault('STATE_UNUSABLE', message, 'Start as the user it belongs to.', { cause: error });
  }
}

/** Written beside and linked into place: whole or absent whatever happens, and of two makers one wins. */
async function makeSecret(file: string, make: () => string | Promise<string>): Promise<string> {
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, await make(), { mode: 0o600, flush: true });
  try {
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await unlink(draft);
  }
  // Its name too must be on the disk before a server is told the secret.
  await using folder = await open(dirname(file));
  await folder.sync();
  return await readFile(file, 'utf8');
}

function randomSecret(): string {
  return randomBytes(32).toString('hex');
}
