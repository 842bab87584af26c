import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { State } from '@platform/backing';
import { isSecret, type SettingKey } from '@platform/service/basics';
import { writePrivately } from './private-file.ts';

/** An access token in the form of the platform: 160 random bits as 40 hexadecimal characters (open-points 1.3). */
const newToken = (): string => randomBytes(20).toString('hex');

/**
 * Settings whose values are generated if no value is given. `name` is the file below `secrets` in the state folder.
 * `renewable`: a new value can replace a lost value, because no stored data depends on the value.
 */
const generated = {
  'secrets.encryptionKeys': { name: 'encryption-key', renewable: false },
  'secrets.tokenKey': { name: 'token-key', renewable: false },
  'secrets.serviceCredential': { name: 'service-credential', renewable: true },
  'secrets.operatorCredential': { name: 'operator-credential', renewable: true },
  'secrets.adminToken': { name: 'admin-token', renewable: true, make: newToken },
} as const;

type GeneratedSecret = keyof typeof generated;

/** Settings with the secrets of NATS: to connect to NATS, and to admit clients to NATS. */
export const natsSecrets = [
  'nats.credentials', 'nats.systemCredentials', 'nats.accountSeed', 'nats.operatorSeed',
] as const;

/** A secret, and the path of the private file that contains it. */
export interface KeptSecret {
  readonly value: string;
  readonly file: string;
}

export type KeptSecrets = ReadonlyMap<SettingKey, KeptSecret>;

/** Stores given secrets, and generates missing secrets. Leaves out the secrets for PostgreSQL, OpenFGA and NATS. */
export async function openSecrets(state: State, given: ReadonlyMap<SettingKey, string>): Promise<KeptSecrets> {
  const passed = [...given.keys()].filter((key) => isSecret(key) && !ofServers.has(key));
  const keys = new Set<SettingKey>([...Object.keys(generated) as GeneratedSecret[], ...passed]);
  return new Map(await Promise.all([...keys].map(async (key): Promise<[SettingKey, KeptSecret]> => {
    const value = given.get(key);
    if (value !== undefined) return [key, await handOver(state, `given-${nameOf(key)}`, value)];
    const { name, ...options } = generated[key as GeneratedSecret];
    return [key, { value: await state.secret(name, options), file: state.secretFile(name) }];
  })));
}

/**
 * Secrets for PostgreSQL, OpenFGA and NATS. `openSecrets` leaves them out, because the values that services need are
 * known only once these servers run.
 */
const ofServers = new Set<SettingKey>(['postgres.url', 'openfga.presharedKey', ...natsSecrets]);

function nameOf(key: SettingKey): string {
  return key in generated ? generated[key as GeneratedSecret].name : key.replaceAll('.', '-');
}

/** @throws RangeError if `secrets` does not contain this secret */
export function secretIn(secrets: KeptSecrets, key: SettingKey): KeptSecret {
  const kept = secrets.get(key);
  if (kept === undefined) throw new RangeError(`there is no secret ${key}`);
  return kept;
}

export const openfgaKeyName = 'openfga-key-of-authz';
/** Name of the file with the NATS credentials that the launcher and the CLI use. */
export const natsCredentialsName = 'nats-credentials';

/** Writes a secret to a file in the state folder. Only the owner may read the file. */
export async function handOver(state: State, name: string, value: string): Promise<KeptSecret> {
  const file = state.secretFile(name);
  await writePrivately(file, value);
  return { value, file };
}

/** The known tokens of the administrator: the given token, then the token that is stored in the state folder. */
export async function knownAdminTokens(state: State, { value }: KeptSecret): Promise<string[]> {
  const kept = await readFile(adminTokenFile(state), 'utf8').catch(() => '');
  return [...new Set([value, kept])].filter((token) => token !== '');
}

export async function keepAdminToken(state: State, token: string): Promise<void> {
  await writePrivately(adminTokenFile(state), token, { flush: true });
}

function adminTokenFile(state: State): string {
  return state.secretFile(generated['secrets.adminToken'].name);
}

/** The files in which the CLI looks for the operator's credential. @param home the state folder */
export function operatorCredentialFiles(home: string): readonly string[] {
  const { name } = generated['secrets.operatorCredential'];
  return [join(home, 'secrets', `given-${name}`), join(home, 'secrets', name)];
}
