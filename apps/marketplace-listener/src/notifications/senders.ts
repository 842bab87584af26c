import { createHash, timingSafeEqual } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import { Fault } from '@platform/faults';
import type { Secret } from '@platform/service';

/** Whether the caller sent the secret, exactly once (open-points 11.2). False if no secret is configured. */
export function hasSecret(given: readonly string[], secret: Secret | undefined): boolean {
  // Always compare, so that the response time reveals neither how many secrets were sent nor whether one is configured.
  const equal = timingSafeEqual(digestOf(given[0] ?? ''), digestOf(secret?.reveal() ?? ''));
  return equal && given.length === 1 && given[0] !== '' && secret !== undefined;
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

export function secretMismatch(): Fault {
  return new Fault('SECRET_MISMATCH', 'the secret of the notification is missing or wrong');
}

const lists = new WeakMap<readonly string[], BlockList>();

/** Whether an address is in one of the ranges, such as `10.0.0.0/8`. An IPv4-mapped IPv6 address counts as IPv4. */
export function isInRanges(address: string, ranges: readonly string[]): boolean {
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  const plain = mapped ?? address;
  const version = isIP(plain);
  if (version === 0) return false;
  let list = lists.get(ranges);
  if (list === undefined) {
    list = new BlockList();
    for (const range of ranges) {
      const [base = '', bits] = range.split('/');
      list.addSubnet(base, Number(bits), isIP(base) === 6 ? 'ipv6' : 'ipv4');
    }
    lists.set(ranges, list);
  }
  return list.check(plain, version === 6 ? 'ipv6' : 'ipv4');
}
