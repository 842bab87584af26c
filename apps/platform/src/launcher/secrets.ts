import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { State } from '@platform/backing';
import { writePrivately } from '../private-file.ts';

/** Settings the launcher makes values for at the first start. */
export const generatedSecrets = [
  'secrets.encryptionKeys',
  'secrets.tokenKey',
  'secrets.serviceCredential',
  'secrets.operatorCredential',
  'secrets.adminToken',
] as const;

export type GeneratedSecret = (typeof generatedSecrets)[number];

/** What a service needs to use the bus, and to admit others to it. */
export const natsSecrets = [
  'nats.credentials',
  'nats.systemCredentials',
  'nats.accountSeed',
  'nats.operatorSeed',
] as const;

export type NatsSecret = (typeof natsSecrets)[number];

/** A secret as it is handed to a service: the file that holds it, mode 0600. */
export interface KeptSecret {
  readonly value: string;
  readonly file: string;
}

/** Under which name each is kept in the state's `secrets` folder. */
const names: Readonly<Record<GeneratedSecret, string>> = {
  'secrets.encryptionKeys': 'encryption-key',
  'secrets.tokenKey': 'token-key',
  'secrets.serviceCredential': 'service-credential',
  'secrets.operatorCredential': 'operator-credential',
  'secrets.adminToken': 'admin-token',
};

/** Those that are told to every service at each start. The others open what is stored. */
const renewable: ReadonlySet<GeneratedSecret> = new Set<GeneratedSecret>([
  'secrets.serviceCredential', 'secrets.operatorCredential', 'secrets.adminToken',
]);

/** An access token as the platform makes them: 160 random bits, 40 hexadecimal characters (open-points 1.3). */
const newToken = (): string => randomBytes(20).toString('hex');

/**
 * The secrets of this state: as set by somebody, else as kept, else made now.
 * @param given set in the environment or in the settings file
 */
export async function openSecrets(
  state: State,
  given: Readonly<Partial<Record<GeneratedSecret, string>>>,
): Promise<Readonly<Record<GeneratedSecret, KeptSecret>>> {
  const entries = generatedSecrets.map(async (key) => {
    const value = given[key];
    const kept = value === undefined ? await keep(state, key) : await handOver(state, `given-${names[key]}`, value);
    return [key, kept] as const;
  });
  return Object.fromEntries(await Promise.all(entries)) as Record<GeneratedSecret, KeptSecret>;
}

async function keep(state: State, key: GeneratedSecret): Promise<KeptSecret> {
  const name = names[key];
  const value = await state.secret(name, {
    renewable: renewable.has(key),
    ...(key === 'secrets.adminToken' ? { make: newToken } : {}),
  });
  return { value, file: state.secretFile(name) };
}

/** Under which name the key of OpenFGA is kept for authz, whoever runs it. */
export const openfgaKeyName = 'openfga-key-of-authz';

/** Under which name a secret of the bus is kept for the services. */
export function natsSecretName(key: string): string {
  return key.replace('.', '-');
}

/** Puts a secret that is not the launcher's into a file of the state, for a service to read. */
export async function handOver(state: State, name: string, value: string): Promise<KeptSecret> {
  const file = state.secretFile(name);
  await writePrivately(file, value);
  return { value, file };
}

/** Tokens of the administrator that may still be accepted: as set by somebody, and as kept. */
export async function knownAdminTokens(state: State, { value }: KeptSecret): Promise<string[]> {
  const kept = await readFile(adminTokenFile(state), 'utf8').catch(() => '');
  return [...new Set([value, kept])].filter((token) => token !== '');
}

/** Keeps a new token of the administrator for later starts. */
export async function keepAdminToken(state: State, token: string): Promise<void> {
  await writePrivately(adminTokenFile(state), token, { flush: true });
}

function adminTokenFile(state: State): string {
  return state.secretFile(names['secrets.adminToken']);
}

/** Where the CLI finds the operator's credential of a state. */
export function operatorCredentialFiles(home: string): readonly string[] {
  const name = names['secrets.operatorCredential'];
  return [join(home, 'secrets', `given-${name}`), join(home, 'secrets', name)];
}
