import { access, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createAccount, createAccountKeys, createOperator, createUser, signAccount } from '@platform/bus';
import { damagedSecret } from './kept-secret.ts';
import type { State } from './state.ts';

/** Keys, JWTs and credentials of the platform's own NATS server. Created once and stored in the state folder. */
export interface NatsAuthority {
  readonly operatorSeed: string;
  readonly operatorJwt: string;
  readonly systemAccount: { readonly publicKey: string; readonly jwt: string };
  readonly systemCredentials: string;
  /** The platform's account in NATS. `jwt` is its first JWT; the NATS server may have a newer one. */
  readonly account: { readonly publicKey: string; readonly seed: string; readonly jwt: string };
  readonly credentials: string;
}

const secretName = 'nats-authority';

/**
 * Returns the keys, JWTs and credentials of the NATS server from the state folder. Creates them at the first call.
 * @throws BackingFault STATE_UNUSABLE
 */
export async function natsAuthority(state: State): Promise<NatsAuthority> {
  const text = await state.secret(secretName, { make: async () => JSON.stringify(await makeAuthority()) });
  const kept = readAuthority(text);
  if (kept === undefined) throw damagedSecret(state.secretFile(secretName), 'has no NATS keys');
  return kept;
}

/** Returns undefined for an invalid text. Drops the parser's error, because it may contain a part of the secret. */
function readAuthority(text: string): NatsAuthority | undefined {
  try {
    const kept = JSON.parse(text) as Partial<NatsAuthority> | null;
    const needed = [
      kept?.operatorSeed, kept?.operatorJwt, kept?.systemAccount?.publicKey, kept?.systemAccount?.jwt,
      kept?.systemCredentials, kept?.account?.publicKey, kept?.account?.seed, kept?.account?.jwt, kept?.credentials,
    ];
    return needed.every((part) => typeof part === 'string') ? (kept as NatsAuthority) : undefined;
  } catch {
    return undefined;
  }
}

async function makeAuthority(): Promise<NatsAuthority> {
  // Create the keys of the system account first, because the operator's JWT names this account. The operator then signs
  // the account's JWT.
  const systemKeys = createAccountKeys();
  const operator = await createOperator('platform', systemKeys.publicKey);
  const systemJwt = await signAccount(operator.seed, systemKeys.publicKey, { name: 'SYS', jetstream: false });
  const account = await createAccount(operator.seed, { name: 'platform', jetstream: true });
  const systemUser = await createUser(systemKeys.seed, { name: 'platform-system' });
  const user = await createUser(account.seed, { name: 'platform' });
  return {
    operatorSeed: operator.seed,
    operatorJwt: operator.jwt,
    systemAccount: { publicKey: systemKeys.publicKey, jwt: systemJwt },
    systemCredentials: systemUser.credentials,
    account,
    credentials: user.credentials,
  };
}

/** Writes missing account JWTs into the resolver's folder. Existing JWTs stay: they may be newer, with revocations. */
export async function presentAccounts(folder: string, authority: NatsAuthority): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const { publicKey, jwt } of [authority.systemAccount, authority.account]) {
    const file = join(folder, `${publicKey}.jwt`);
    const known = await access(file).then(() => true, () => false);
    if (!known) await writeFile(file, jwt, { mode: 0o600 });
  }
}
