import { type Member, memberKey } from './member-subjects.ts';

interface Waiting {
  readonly member: Member;
  /** Blocks of messages, oldest first. `last` is the highest sequence number in a block. */
  readonly blocks: { last: number; bytes: number }[];
}

/** A block that has at least this many bytes gets no further messages. */
const blockBytes = 1024 * 1024;

/** Counts the bytes of stored messages that are not read yet, by organization and by agent. */
interface WaitingBytes {
  add(stream: string, member: Member, sequence: number, bytes: number): void;
  /** Removes the messages of `stream` up to `sequence` from the count, in whole blocks only. */
  readUpTo(stream: string, sequence: number): void;
  ofOrganization(ownerId: number): number;
  ofMember(member: Member): number;
  streams(): readonly string[];
}

export function countWaitingBytes(): WaitingBytes {
  const waiting = new Map<string, Map<string, Waiting>>();
  const totals = new Map<string, number>();
  const addTotals = (member: Member, bytes: number): void => {
    // The key of an agent contains two spaces, so it cannot equal the key of an organization.
    for (const key of [String(member.ownerId), memberKey(member)]) {
      const total = (totals.get(key) ?? 0) + bytes;
      if (total === 0) totals.delete(key);
      else totals.set(key, total);
    }
  };
  return {
    add: (stream, member, sequence, bytes) => {
      const members = waiting.get(stream) ?? new Map<string, Waiting>();
      const { blocks } = members.get(memberKey(member)) ?? { blocks: [] as Waiting['blocks'] };
      waiting.set(stream, members.set(memberKey(member), { member, blocks }));
      const open = blocks.at(-1);
      if (open === undefined || open.bytes >= blockBytes) blocks.push({ last: sequence, bytes });
      else [open.last, open.bytes] = [Math.max(open.last, sequence), open.bytes + bytes];
      addTotals(member, bytes);
    },
    readUpTo: (stream, sequence) => {
      const members = waiting.get(stream);
      for (const [key, { member, blocks }] of members ?? []) {
        while (blocks.length > 0 && blocks[0]!.last <= sequence) addTotals(member, -blocks.shift()!.bytes);
        if (blocks.length === 0) members!.delete(key);
      }
      if (members?.size === 0) waiting.delete(stream);
    },
    ofOrganization: (ownerId) => totals.get(String(ownerId)) ?? 0,
    ofMember: (member) => totals.get(memberKey(member)) ?? 0,
    streams: () => [...waiting.keys()],
  };
}
