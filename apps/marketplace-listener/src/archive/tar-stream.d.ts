/** The part of tar-stream that is used here; the package has no types of its own. */
declare module 'tar-stream' {
  import type { Readable } from 'node:stream';

  interface Header {
    readonly name: string;
    readonly mode: number;
    readonly mtime: Date;
  }

  interface Pack extends Readable {
    entry(header: Header, content: string): unknown;
    finalize(): void;
  }

  export function pack(): Pack;
}
