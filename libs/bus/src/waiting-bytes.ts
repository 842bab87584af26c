/** Messages of an organization that were stored one after the other. */
interface Block {
  /** Number of the last one in its stream. */
  last: number;
  bytes: number;
}

/** Blocks of at least so many bytes are not extended. */
const blockBytes = 1024 * 1024;

/** Counts the bytes of stored messages that are not read yet, by stream and organization. */
export interface WaitingBytes {
  add(stream: string, ownerId: number, sequence: number, bytes: number): void;
  /** All messages of a stream up to a number have been read. */
  readUpTo(stream: string, sequence: number): void;
  of(ownerId: number): number;
  /** Streams of which something waits. */
  streams(): readonly string[];
}

export function countWaitingBytes(): WaitingBytes {
  const blocks = new Map<string, Map<number, Block[]>>();
  const totals = new Map<number, number>();
  const addTotal = (ownerId: number, bytes: number): void => {
    const total = (totals.get(ownerId) ?? 0) + bytes;
    if (total === 0) totals.delete(ownerId);
    else totals.set(ownerId, total);
  };
  return {
    add: (stream, ownerId, sequence, bytes) => {
      const owners = blocks.get(stream) ?? new Map<number, Block[]>();
      const own = owners.get(ownerId) ?? [];
      blocks.set(stream, owners.set(ownerId, own));
      const open = own.at(-1);
      if (open === undefined || open.bytes >= blockBytes) own.push({ last: sequence, bytes });
      else [open.last, open.bytes] = [Math.max(open.last, sequence), open.bytes + bytes];
      addTotal(ownerId, bytes);
    },
    readUpTo: (stream, sequence) => {
      const owners = blocks.get(stream);
      for (const [ownerId, own] of owners ?? []) {
        while (own.length > 0 && own[0]!.last <= sequence) addTotal(ownerId, -own.shift()!.bytes);
        if (own.length === 0) owners!.delete(ownerId);
      }
      if (owners?.size === 0) blocks.delete(stream);
    },
    of: (ownerId) => totals.get(ownerId) ?? 0,
    streams: () => [...blocks.keys()],
  };
}
