import { randomBytes } from 'node:crypto';

/** Id of an installer or subscription: 20 characters of 0-9 and a-v from 100 random bits (open-points 8.4). */
export function newPublicId(): string {
  return charactersFrom('0123456789abcdefghijklmnopqrstuv', 20);
}

/** Id of a claim: 26 upper-case letters and digits from 130 random bits (open-points 11.5). */
export function newClaimId(): string {
  return charactersFrom('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 26);
}

/** Name of a standalone organization (open-points 11.2). */
export function newStandaloneName(): string {
  return `standalone-${charactersFrom('abcdefghijklmnopqrstuvwxyz234567', 8)}`;
}

/** A password with 120 random bits. */
export function newPassword(): string {
  return charactersFrom('ABCDEFGHJKLMNPQRSTUVWXYZabcdefgh', 24);
}

/** @param alphabet 32 characters */
function charactersFrom(alphabet: string, count: number): string {
  return Array.from(randomBytes(count), (byte) => alphabet[byte % 32]).join('');
}
