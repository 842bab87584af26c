import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { Secret } from './secret.ts';

/** A sealed secret: the id of the key, and the sealed bytes (nonce, tag, ciphertext). */
export interface Sealed {
  /** 16 hexadecimal characters, derived from the key. */
  readonly keyId: string;
  readonly bytes: Buffer;
}

/** Encrypts and decrypts secrets (AES-256-GCM). Each secret has an identity, such as the row that contains it. */
export interface Sealer {
  /** Id of the key that `seal` uses. */
  readonly keyId: string;
  readonly keyIds: readonly string[];
  /** @param identity for example the row, as `sync_token/3/0`. The secret can be opened only with the same identity */
  seal(secret: Secret, identity: string): Sealed;
  /** @throws SealBroken if the key is unknown, the sealed bytes were changed, or the identity differs */
  open(sealed: Sealed, identity: string): Secret;
}

/** A sealed secret cannot be opened: its key is unknown, its bytes were changed, or its identity differs. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken';
  readonly keyKnown: boolean;

  constructor(identity: string, keyId: string, keyKnown: boolean, options?: ErrorOptions) {
    const why = keyKnown ? 'it was changed or belongs to another row' : `secrets.encryptionKeys has no key ${keyId}`;
    super(`${identity} cannot be decrypted: ${why}`, options);
    this.keyKnown = keyKnown;
  }
}

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** The first key of `secrets.encryptionKeys` encrypts; all keys decrypt. @throws RangeError if there is no key */
export function createSealer(secrets: readonly Secret[]): Sealer {
  const keys = new Map(secrets.map((secret) => [derive(secret, 'id', 8).toString('hex'), derive(secret, 'key', 32)]));
  const [first] = keys;
  if (first === undefined) throw new RangeError('secrets.encryptionKeys contains no key');
  const [keyId, key] = first;
  return {
    keyId,
    keyIds: [...keys.keys()],
    seal: (secret, identity) => {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
        .setAAD(associated(keyId, identity));
      const ciphertext = Buffer.concat([cipher.update(secret.reveal(), 'utf8'), cipher.final()]);
      return { keyId, bytes: Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]) };
    },
    open: (sealed, identity) => {
      const known = keys.get(sealed.keyId);
      if (known === undefined) throw new SealBroken(identity, sealed.keyId, false);
      const nonce = sealed.bytes.subarray(0, nonceBytes);
      const tag = sealed.bytes.subarray(nonceBytes, nonceBytes + tagBytes);
      try {
        const decipher = createDecipheriv(algorithm, known, nonce, { authTagLength: tagBytes })
          .setAAD(associated(sealed.keyId, identity))
          .setAuthTag(tag);
        const ciphertext = sealed.bytes.subarray(nonceBytes + tagBytes);
        return new Secret(Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8'));
      } catch (cause) {
        throw new SealBroken(identity, sealed.keyId, true, { cause });
      }
    },
  };
}

function derive(secret: Secret, purpose: string, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret.reveal(), '', `platform sealing ${purpose}`, bytes));
}

function associated(keyId: string, identity: string): Buffer {
  return Buffer.from(`${keyId}\n${identity}`);
}
