import { createHash } from 'node:crypto';

/** Derives values from a seed. `what` names the value: the same seed and name lead to the same value. */
export interface Derive {
  /** A whole number from 0 up to, but not including, `limit` (at most 2^48). */
  integer(what: string, limit: number): number;
  pick<Item>(what: string, items: readonly [Item, ...Item[]]): Item;
  /** A UUID (version 8, RFC 9562). */
  uuid(what: string): string;
}

export function deriveFrom(seed: string): Derive {
  const digest = (what: string): Buffer => createHash('sha256').update(`${seed}/${what}`).digest();
  const integer = (what: string, limit: number): number => digest(what).readUIntBE(0, 6) % limit;
  return {
    integer,
    pick: (what, items) => items[integer(what, items.length)] ?? items[0],
    uuid: (what) => {
      const bytes = digest(what).subarray(0, 16);
      bytes[6] = (bytes[6]! & 0x0f) | 0x80;
      bytes[8] = (bytes[8]! & 0x3f) | 0x80;
      return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    },
  };
}
