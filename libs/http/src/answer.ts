export interface Answer {
  readonly status: number;
  readonly headers: [name: string, value: string][];
  readonly body: string | Buffer | AnswerStream;
}

export interface WholeAnswer extends Answer {
  readonly body: string | Buffer;
}

/**
 * A body that is sent as fast as the client reads it. If the answer has the header Content-Length, the body must have
 * this length. An error while the body is read cuts the connection.
 */
export interface AnswerStream extends AsyncIterable<Uint8Array> {
  /** Releases the source of the body, even if the body was not read. */
  end(): Promise<void>;
}

export function isStream(body: Answer['body']): body is AnswerStream {
  return typeof body !== 'string' && !Buffer.isBuffer(body);
}

/**
 * Value of Content-Disposition for a download (RFC 6266): the name in plain ASCII, followed by the name in UTF-8 if it
 * differs. Characters with a meaning in a path or a header are replaced.
 */
export function attachment(filename: string): string {
  const name = filename.toWellFormed().replace(/[\p{Cc}\p{Cf}/\\:*?"<>|]/gu, '_').replace(/^\.+/, '_') || 'download';
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').replace(/[^\x20-\x7e]/gu, '_').replace(/%/g, '_');
  if (plain === name) return `attachment; filename="${name}"`;
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
