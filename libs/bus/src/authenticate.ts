import type { Authenticator } from '@nats-io/transport-node';
import { keysOfSeed } from './keys.ts';

/** Signs in with the text of a `.creds` file. @throws Error when the text holds no credentials */
export function authenticatorOf(credentials: string): Authenticator {
  const [, jwt] = /BEGIN NATS USER JWT-+\s+(\S+)/.exec(credentials) ?? [];
  const [, seed] = /BEGIN USER NKEY SEED-+\s+(\S+)/.exec(credentials) ?? [];
  if (jwt === undefined || seed === undefined) throw new Error('Not the text of a .creds file.');
  const keys = keysOfSeed(seed);
  return (nonce) => {
    const signature = keys.sign(new TextEncoder().encode(nonce ?? ''));
    return { jwt, nkey: keys.getPublicKey(), sig: Buffer.from(signature).toString('base64url') };
  };
}
