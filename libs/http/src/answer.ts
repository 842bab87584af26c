import type { Readable } from 'node:stream';

export interface Answer {
  readonly status: number;
  readonly headers: [name: string, value: string][];
  readonly body: string | Buffer | AnswerStream;
}

export interface WholeAnswer extends Answer {
  readonly body: string | Buffer;
}

/**
 * A body that is sent as fast as the client reads it. Its length must match the header Content-Length, if the answer
 * has this header. If reading the body throws, the connection is cut.
 */
export interface AnswerStream extends AsyncIterable<Uint8Array> {
  /** The source, if it is a stream of Node. Listening to its `data` events is faster than iterating over it. */
  readonly readable?: Readable;
  /** Releases the source of the body, even if the body was not read. */
  end(): Promise<void>;
}

/** Returns the body of a message from another server as the body of an answer. */
export function streamedBody(message: Readable): AnswerStream {
  return {
    readable: message,
    [Symbol.asyncIterator]: () => message[Symbol.asyncIterator]() as AsyncIterator<Buffer>,
    end: async () => void message.destroy(),
  };
}

export function isStream(body: Answer['body']): body is AnswerStream {
  return typeof body !== 'string' && !Buffer.isBuffer(body);
}

/**
 * Returns the value of Content-Disposition for a download (RFC 6266). Characters of the name that are not safe in a
 * path or a header are replaced. The value contains the name in ASCII. If the ASCII form differs from the name, the
 * value also contains the name in UTF-8.
 */
export function attachment(filename: string): string {
  const name = filename.toWellFormed().replace(/[\p{Cc}\p{Cf}/\\:*?"<>|]/gu, '_').replace(/^\.+/, '_') || 'download';
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').replace(/[^\x20-\x7e]/gu, '_').replace(/%/g, '_');
  if (plain === name) return `attachment; filename="${name}"`;
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
