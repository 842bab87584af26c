import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Secret } from '@platform/service';

export interface SignedLinks {
  /** Returns `{prefix}{key}?expires=…&signature=…`. @param expires unix seconds; the link is valid before this time */
  sign(key: string, expires: number): string;
  /** Whether the signature is right for `key` and `expires`, and the link has not expired. */
  isValid(key: string, expires: string, signature: string): boolean;
}

interface SignedLinksOptions {
  readonly prefix: string;
  /** Purpose of the derived keys. If it changes, existing links become invalid. */
  readonly purpose: string;
  readonly secrets: readonly Secret[];
  readonly now?: (() => number) | undefined;
}

/**
 * Returns an object that signs links and checks signed links. The signing keys are derived from `secrets`
 * (`secrets.encryptionKeys`), so links survive a restart and work on every replica. The first key signs. A link becomes
 * invalid when the key that signed it is removed.
 */
export function createSignedLinks(options: SignedLinksOptions): SignedLinks {
  const { prefix, purpose, secrets, now = () => Date.now() } = options;
  const keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret.reveal(), '', purpose, 32)));
  const [first] = keys;
  if (first === undefined) throw new RangeError('secrets.encryptionKeys contains no key');
  return {
    sign: (key, expires) => `${prefix}${key}?expires=${expires}&signature=${signatureOf(first, key, String(expires))}`,
    isValid: (key, expires, signature) => {
      // Compare the signatures as texts, because several base64url texts decode to the same bytes.
      const given = Buffer.from(signature);
      // Try every secret, so that the duration does not reveal with which of them the link was signed.
      const isSigned = keys.map((secret) => Buffer.from(signatureOf(secret, key, expires)))
        .map((right) => given.length === right.length && timingSafeEqual(given, right)).includes(true);
      return isSigned && now() < Number(expires) * 1000;
    },
  };
}

function signatureOf(secret: Buffer, key: string, expires: string): string {
  return createHmac('sha256', secret).update(`${key}\n${expires}`).digest('base64url');
}
