export interface Timestamp {
  seconds: number;
  nanos: number;
}

const form = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9})\d*)?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/** Reads an RFC 3339 time. Undefined for other texts, impossible dates, leap seconds, and years outside 1 to 9999. */
export function parseTimestamp(text: string): Timestamp | undefined {
  const match = form.exec(text);
  if (!match) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const offsetHours = Number(match[9] ?? 0);
  const offsetMinutes = Number(match[10] ?? 0);
  if (hour > 23 || minute > 59 || second > 59 || offsetHours > 23 || offsetMinutes > 59) return undefined;
  const date = new Date(0);
  // Date.UTC is not used, because it reads the years 0 to 99 as 1900 to 1999.
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  date.setUTCHours(hour, minute, second);
  const offset = (offsetHours * 60 + offsetMinutes) * 60 * (match[8] === '-' ? -1 : 1);
  const seconds = date.getTime() / 1000 - offset;
  if (seconds < earliest || seconds > latest) return undefined;
  return { seconds, nanos: Number((match[7] ?? '').padEnd(9, '0')) };
}

/** Formats unix seconds in UTC with `Z` (open-points 1.7). @throws RangeError outside the years 1 to 9999 */
export function formatTimestamp(seconds: number): string {
  if (!(seconds >= earliest && seconds <= latest)) {
    throw new RangeError(`the Unix time ${seconds} s is not in the years 1 to 9999`);
  }
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}

/** 0001-01-01T00:00:00Z, the earliest `google.protobuf.Timestamp`, in unix seconds. */
export const earliest = -62_135_596_800;
/** 9999-12-31T23:59:59Z, the latest `google.protobuf.Timestamp`, in unix seconds. */
export const latest = 253_402_300_799;
