const block = /^\s*-----BEGIN CERTIFICATE-----[ \t]*\r?\n([A-Za-z0-9+/=\r\n \t]+)-----END CERTIFICATE-----\s*$/;

/**
 * The DER of a text that is exactly one PEM certificate; undefined for any other text. The base64 in it is strict, so
 * that a changed text never stands for the same certificate.
 */
export function onePem(text: string): Buffer | undefined {
  const body = block.exec(text)?.[1]?.replaceAll(/[\r\n \t]/g, '');
  if (body === undefined) return undefined;
  const der = Buffer.from(body, 'base64');
  return der.toString('base64') === body ? der : undefined;
}
