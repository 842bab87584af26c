import { readFile } from 'node:fs/promises';
import { BackingFault } from './fault.ts';
import type { FindOptions } from './find-options.ts';
import type { NatsAddress } from './nats.ts';
import type { OpenfgaAddress } from './openfga.ts';
import type { PostgresAddress } from './postgres.ts';

type Environment = FindOptions['environment'];

/** Returns the address in PLATFORM_POSTGRES_URL; undefined if unset or empty. @throws BackingFault ADDRESS_INVALID */
export function postgresAddress(environment: Environment): PostgresAddress | undefined {
  const url = addressIn(environment, 'PLATFORM_POSTGRES_URL', ['postgres:', 'postgresql:']);
  return url === undefined ? undefined : { kind: 'address', url };
}

/**
 * Returns the address in PLATFORM_NATS_URL and the secrets for it. Returns undefined if the variable is unset or empty.
 * @throws BackingFault ADDRESS_INVALID
 */
export async function natsAddress(environment: Environment): Promise<NatsAddress | undefined> {
  const url = addressIn(environment, 'PLATFORM_NATS_URL', ['nats:', 'tls:']);
  if (url === undefined) return undefined;
  return {
    kind: 'address',
    access: {
      url,
      credentials: await busSecret(environment, 'PLATFORM_NATS_CREDENTIALS', 'BEGIN NATS USER JWT'),
      systemCredentials: await busSecret(environment, 'PLATFORM_NATS_SYSTEM_CREDENTIALS', 'BEGIN NATS USER JWT'),
      accountSeed: await busSecret(environment, 'PLATFORM_NATS_ACCOUNT_SEED', 'SA'),
      operatorSeed: await busSecret(environment, 'PLATFORM_NATS_OPERATOR_SEED', 'SO'),
    },
  };
}

/**
 * Returns the address in PLATFORM_OPENFGA_URL and the preshared key for it. Returns undefined if the variable is unset
 * or empty.
 * @throws BackingFault ADDRESS_INVALID
 */
export function openfgaAddress(environment: Environment): OpenfgaAddress | undefined {
  const url = addressIn(environment, 'PLATFORM_OPENFGA_URL', ['http:', 'https:']);
  if (url === undefined) return undefined;
  const presharedKey = environment['PLATFORM_OPENFGA_PRESHARED_KEY'];
  if (!presharedKey) {
    const message = 'PLATFORM_OPENFGA_URL is set, but PLATFORM_OPENFGA_PRESHARED_KEY is not.';
    const cure = 'Set PLATFORM_OPENFGA_PRESHARED_KEY to one of the preshared keys of that OpenFGA.';
    throw new BackingFault('ADDRESS_INVALID', message, cure);
  }
  return { kind: 'address', access: { url: url.replace(/\/+$/, ''), presharedKey } };
}

/**
 * Returns the text of a variable: one address, or several addresses separated by commas. Returns undefined if the
 * variable is unset or empty.
 * @throws BackingFault ADDRESS_INVALID
 */
function addressIn(environment: Environment, variable: string, protocols: readonly string[]): string | undefined {
  const text = environment[variable]?.trim();
  if (!text) return undefined;
  for (const item of text.split(',')) {
    const url = URL.parse(item);
    if (url !== null && protocols.includes(url.protocol) && url.hostname !== '') continue;
    const expected = protocols.map((protocol) => `${protocol}//host:port`).join(' or ');
    // The message does not repeat the text, because the text may contain a password.
    throw new BackingFault('ADDRESS_INVALID', `${variable} is not a valid address.`, `Set it in the form ${expected}.`);
  }
  return text;
}

/** Reads a secret from a variable, or from the file that the variable with the suffix `_FILE` names. */
async function busSecret(environment: Environment, variable: string, mark: string): Promise<string> {
  const text = environment[variable]?.trim() || await busSecretFile(environment, variable);
  if (text.includes(mark)) return text.trim();
  throw new BackingFault('ADDRESS_INVALID', `The secret ${variable} is invalid.`, `It must contain "${mark}".`);
}

async function busSecretFile(environment: Environment, variable: string): Promise<string> {
  const file = environment[`${variable}_FILE`];
  if (!file) {
    const message = `PLATFORM_NATS_URL is set, but neither ${variable} nor ${variable}_FILE is.`;
    const cure = `Set ${variable}_FILE to the path of the file with this secret.`;
    throw new BackingFault('ADDRESS_INVALID', message, cure);
  }
  return await readFile(file, 'utf8').catch((error: Error) => {
    const message = `The file that ${variable}_FILE names cannot be read: ${error.message}.`;
    throw new BackingFault('ADDRESS_INVALID', message, 'Name a file that this user may read.', { cause: error });
  });
}
