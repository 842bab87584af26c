/** A copy of an event proves the state of the object for the next two hours (open-points 7.3). */
export const seenForUs = 7_200_000_000;

/** When copies of an event prove the state of the object, as a `tstzmultirange`. Times are microseconds since 1970. */
export function seenBy(copies: readonly { readonly time: number; readonly until: number }[]): string {
  return `{${copies.map(({ time, until }) => `[${moment(time)},${moment(until + seenForUs)})`).join()}}`;
}

/** Formats microseconds since 1970 as a time for PostgreSQL. */
function moment(microseconds: number): string {
  const seconds = Math.floor(microseconds / 1_000_000);
  const fraction = String(microseconds - seconds * 1_000_000).padStart(6, '0');
  return `"${new Date(seconds * 1000).toISOString().slice(0, 19)}.${fraction}Z"`;
}
