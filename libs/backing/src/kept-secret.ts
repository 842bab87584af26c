import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { BackingFault } from './fault.ts';
import { keepFile } from './keep-file.ts';

export interface SecretOptions {
  /** Creates the secret; default: 32 random bytes in hexadecimal. */
  readonly make?: () => string | Promise<string>;
  /**
   * Whether a new secret may replace a damaged one; default false. If true, the fault for a damaged secret proposes to
   * remove the file.
   */
  readonly renewable?: boolean;
}

/**
 * Returns the secret in a file. Creates a missing file. An empty file is a fault, because a server or stored data may
 * depend on the lost secret.
 * @throws BackingFault STATE_UNUSABLE
 */
export async function keptSecret(file: string, options: SecretOptions = {}): Promise<string> {
  const { make = () => randomBytes(32).toString('hex') } = options;
  let kept = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    const message = `The secret ${file} cannot be read: ${error.message}.`;
    throw new BackingFault('STATE_UNUSABLE', message, 'Start the platform as the owner of the file.', { cause: error });
  });
  if (kept === undefined) {
    await keepFile(file, await make());
    // Another process may have created the file first.
    kept = await readFile(file, 'utf8');
  }
  if (kept.trim() === '') throw damagedSecret(file, 'is empty', options);
  return kept;
}

/** @param what the end of the message `The secret <file> …`, such as `is empty`; never the content of the secret */
export function damagedSecret(file: string, what: string, { renewable = false }: SecretOptions = {}): BackingFault {
  const cure = renewable
    ? 'Remove this file: the next start creates a new secret.'
    : 'Restore the file from a copy of the state folder. Without a copy, run `npm start -- --reset`, which removes all '
      + 'data.';
  return new BackingFault('STATE_UNUSABLE', `The secret ${file} ${what}.`, cure);
}
