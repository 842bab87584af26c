import { randomBytes } from 'node:crypto';

/** A secret as the launcher makes them (64 hexadecimal characters), such as what services show each other. */
export function testSecret(): string {
  return randomBytes(32).toString('hex');
}
