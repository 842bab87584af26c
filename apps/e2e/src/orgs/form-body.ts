/** One part of a form. */
export interface FormPart {
  readonly name: string;
  /** Name of the file; without it, the part is a text. */
  readonly filename?: string;
  readonly type?: string;
  readonly content: Uint8Array | string;
}

/** A multipart body with its type, as browsers send it. */
export function formBody(parts: readonly FormPart[], boundary = 'spec-boundary') {
  const chunks = parts.flatMap(({ name, filename, type, content }) => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}\r\n`
      + `${type === undefined ? '' : `Content-Type: ${type}\r\n`}\r\n`,
    ),
    Buffer.from(content as Uint8Array),
    Buffer.from('\r\n'),
  ]);
  return {
    body: Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  };
}

/** A form with a picture, as browsers send it. */
export const pictureForm = (content: Uint8Array, type = 'image/png') =>
  formBody([{ name: 'avatar', filename: 'picture', type, content }]);
