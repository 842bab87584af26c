/** A message that is no event as open-points 13.2 describes them. It stays one however often it is tried. */
export class Malformed extends Error {
  override readonly name = 'Malformed';
}

/** Texts that rows are found by are at most so long, in bytes. */
const mostBytes = 512;

/** @throws Malformed for a text that is too long to be found by */
export function short(text: string, path: string): string {
  if (Buffer.byteLength(text) > mostBytes) throw new Malformed(`${path} is longer than ${mostBytes} bytes`);
  return text;
}
