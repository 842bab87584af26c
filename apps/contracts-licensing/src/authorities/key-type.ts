import { type KeyObject, webcrypto } from 'node:crypto';

/** Type of the keys of licences and new authorities: `license.keyType`. RSA is for old verifiers (open-points 6.1). */
export type KeyType = 'ecdsa' | 'rsa';

const rsa = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' } as const;
const curves: Readonly<Record<string, string>> = { prime256v1: 'P-256', secp384r1: 'P-384', secp521r1: 'P-521' };
/** Minimum length of an RSA key, in bits. A shorter key is no longer considered secure. */
const fewestRsaBits = 2048;

/** Generates a key pair: ECDSA P-256 or RSA-2048 (open-points 6.1). */
export function generateKeys(type: KeyType): Promise<webcrypto.CryptoKeyPair> {
  const algorithm = type === 'rsa'
    ? { ...rsa, modulusLength: fewestRsaBits, publicExponent: Uint8Array.of(1, 0, 1) }
    : { name: 'ECDSA', namedCurve: 'P-256' };
  return webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
}

/**
 * Returns the algorithm by which a key signs certificates. Returns undefined unless the key is ECDSA with a curve
 * in `curves`, or RSA with at least 2048 bits.
 */
export function signingAlgorithm(
  key: KeyObject,
): { name: 'ECDSA'; namedCurve: string; hash: 'SHA-256' } | typeof rsa | undefined {
  const { namedCurve: curve = '', modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
  if (key.asymmetricKeyType === 'rsa' && modulusLength >= fewestRsaBits) return rsa;
  const namedCurve = key.asymmetricKeyType === 'ec' ? curves[curve] : undefined;
  return namedCurve === undefined ? undefined : { name: 'ECDSA', namedCurve, hash: 'SHA-256' };
}
