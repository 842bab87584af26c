/** An HTTP answer before it is written. */
export interface Answer {
  readonly status: number;
  readonly headers: [name: string, value: string][];
  readonly body: string | Buffer | AnswerStream;
}

/** An answer whose body is in memory. */
export interface WholeAnswer extends Answer {
  readonly body: string | Buffer;
}

/**
 * A body that is read as fast as the client takes it. Its length is the header Content-Length, if the answer has one.
 * An error while it is read cuts the connection.
 */
export interface AnswerStream extends AsyncIterable<Uint8Array> {
  /** Releases what it reads from, whether it was read or not. */
  end(): Promise<void>;
}

/** Whether a body is sent in pieces. */
export function isStream(body: Answer['body']): body is AnswerStream {
  return typeof body !== 'string' && !Buffer.isBuffer(body);
}
