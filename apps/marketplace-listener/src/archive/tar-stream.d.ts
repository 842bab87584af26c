/** The part of tar-stream that is used here; the package has no types of its own. */
declare module 'tar-stream' {
  import type { Readable } from 'node:stream';

  export function pack(): Readable & {
    entry(header: { name: string; mode: number; mtime: Date }, content: string): unknown;
    finalize(): void;
  };
}
