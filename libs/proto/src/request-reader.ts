import { isUtf8 } from 'node:buffer';
import { BinaryReader } from '@bufbuild/protobuf/wire';

/**
 * Reads the bytes of a request for the generated decoders, and notes texts that no request may hold: what is not UTF-8,
 * and NUL (open-points 1.7). They decode all the same, so that refusals keep their order; nobody acts on them.
 */
export class RequestReader extends BinaryReader {
  /** The request as a whole, for decoders that bring a reader of their own. */
  readonly whole: Uint8Array;
  /** A text read so far, at any depth, holds NUL or is not UTF-8. */
  hasBadText = false;

  constructor(request: Uint8Array) {
    super(request);
    this.whole = request;
  }

  override string(): string {
    const start = this.pos;
    const text = super.string();
    // Invalid UTF-8 is decoded as U+FFFD, which a valid text may also contain.
    if (text.includes('\0') || (text.includes('\ufffd') && !this.#isUtf8At(start))) this.hasBadText = true;
    return text;
  }

  #isUtf8At(start: number): boolean {
    this.pos = start;
    return isUtf8(this.bytes());
  }
}
