import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import type { KeyPair } from '@nats-io/nkeys';

/** The first byte of a public key, by kind. Its upper five bits become the first letter of the key's text. */
const kinds = { operator: 14 << 3, account: 0, user: 20 << 3 } as const;
export type KeyKind = keyof typeof kinds;

const seedPrefix = 18 << 3;
/** PKCS #8 header in front of the 32 bytes of an Ed25519 private key. */
const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Creates a key pair that signs with Ed25519 of Node, because the NATS library signs much more slowly. */
export function newKeys(kind: KeyKind): KeyPair {
  const { privateKey } = generateKeyPairSync('ed25519');
  const raw = Buffer.from(privateKey.export({ format: 'jwk' }).d!, 'base64url');
  return keyPair(privateKey, kinds[kind], raw);
}

/** Returns the key pair of a seed (`SO…`, `SA…`, `SU…`). @throws Error if the seed is invalid */
export function keysOfSeed(seed: string): KeyPair {
  const text = seed.trim();
  const bytes = fromBase32(text);
  const body = bytes.subarray(0, -2);
  if (text.length !== 58 || checksum(body) !== bytes.readUInt16LE(34) || (bytes[0]! & 0xf8) !== seedPrefix) {
    throw new Error('Not a NATS seed.');
  }
  // The bits of the kind are divided between the first two bytes.
  const kind = ((bytes[0]! & 7) << 5) | (bytes[1]! >> 3);
  const raw = body.subarray(2);
  return keyPair(createPrivateKey({ key: Buffer.concat([pkcs8, raw]), format: 'der', type: 'pkcs8' }), kind, raw);
}

function keyPair(privateKey: KeyObject, kind: number, raw: Buffer): KeyPair {
  const publicKey = createPublicKey(privateKey);
  const publicText = toBase32(Buffer.from([kind]), Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url'));
  const seedText = toBase32(Buffer.from([seedPrefix | (kind >> 5), (kind & 31) << 3]), raw);
  const unsupported = (): never => {
    throw new TypeError('A signing key cannot encrypt or decrypt.');
  };
  return {
    getPublicKey: () => publicText,
    getPrivateKey: () => Buffer.concat([raw]),
    getSeed: () => new TextEncoder().encode(seedText),
    sign: (input) => sign(null, input, privateKey),
    verify: (input, signature) => verify(null, input, publicKey, signature),
    clear: () => undefined,
    seal: unsupported,
    open: unsupported,
  };
}

function toBase32(prefix: Buffer, body: Buffer): string {
  const checked = Buffer.concat([prefix, body]);
  const sum = Buffer.alloc(2);
  sum.writeUInt16LE(checksum(checked));
  let [text, bits, value] = ['', 0, 0];
  for (const byte of Buffer.concat([checked, sum])) {
    value = ((value << 8) | byte) & 0xfff;
    for (bits += 8; bits >= 5; bits -= 5) text += alphabet[(value >> (bits - 5)) & 31];
  }
  return bits === 0 ? text : text + alphabet[(value << (5 - bits)) & 31];
}

function fromBase32(text: string): Buffer {
  const bytes: number[] = [];
  let [bits, value] = [0, 0];
  for (const letter of text) {
    const five = alphabet.indexOf(letter);
    if (five < 0) throw new Error('Not a NATS key.');
    value = ((value << 5) | five) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((value >> bits) & 0xff);
    }
  }
  return Buffer.from(bytes);
}

/** CRC-16/XMODEM. */
function checksum(bytes: Buffer): number {
  let sum = 0;
  for (const byte of bytes) {
    sum ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum & 0x8000) === 0 ? sum << 1 : (sum << 1) ^ 0x1021;
    sum &= 0xffff;
  }
  return sum;
}
