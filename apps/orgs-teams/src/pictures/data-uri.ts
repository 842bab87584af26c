/** Base64 without whitespace. */
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;
const escapes = /%([0-9a-fA-F]{2})/g;

/**
 * Returns the bytes of a data URI or of a base64 text, and ignores the declared type. Returns undefined if the text has
 * neither form or contains no bytes.
 */
export function readDataUri(text: string): Buffer | undefined {
  const uri = /^data:([^,]*),(.*)$/is.exec(text);
  const bytes = uri === null ? fromBase64(text) : fromUri(uri[1]!, uri[2]!);
  return bytes === undefined || bytes.length === 0 ? undefined : bytes;
}

export function toDataUri(mediaType: string, content: Uint8Array): string {
  return `data:${mediaType};base64,${Buffer.from(content).toString('base64')}`;
}

function fromUri(about: string, data: string): Buffer | undefined {
  if (/;\s*base64\s*$/i.test(about)) return fromBase64(data.replaceAll(/%(2[bf]|3d)/gi, (escape) => decodeURIComponent(escape)));
  const bytes = Buffer.from(data, 'utf8').toString('latin1');
  return Buffer.from(bytes.replaceAll(escapes, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))), 'latin1');
}

function fromBase64(text: string): Buffer | undefined {
  const letters = text.replaceAll(/[\t\n\f\r ]/g, '');
  return base64.test(letters) ? Buffer.from(letters, 'base64') : undefined;
}
