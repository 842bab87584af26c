/**
 * Value of Content-Disposition for a download (RFC 6266): the name in plain ASCII, and beside it in UTF-8 where that
 * differs. Characters with a meaning in a path or a header are replaced.
 */
export function attachment(filename: string): string {
  const name = filename.toWellFormed().replace(/[\p{Cc}\p{Cf}/\\:*?"<>|]/gu, '_').replace(/^\.+/, '_') || 'download';
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').replace(/[^\x20-\x7e]/gu, '_').replace(/%/g, '_');
  if (plain === name) return `attachment; filename="${name}"`;
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
