/** A part of a form: the parameters after `form-data; ` in its disposition, its content, and optionally its type. */
export type FormPart = readonly [disposition: string, content: string | Buffer, type?: string];

/** Encodes a multipart form. @param end replaces the last boundary; empty for a complete form */
export function formOf(parts: readonly FormPart[], end = ''): { body: Buffer; headers: Record<string, string> } {
  const pieces = parts.flatMap(([disposition, content, type], index) => [
    `${index === 0 ? '' : '\r\n'}--x\r\nContent-Disposition: form-data; ${disposition}\r\n`,
    `${type === undefined ? '' : `Content-Type: ${type}\r\n`}\r\n`,
    content,
  ]);
  const last = end === '' ? '\r\n--x--\r\n' : end;
  const body = Buffer.concat([...pieces, last].map((piece) => Buffer.from(piece as string)));
  return { body, headers: { 'Content-Type': 'multipart/form-data; boundary=x' } };
}
