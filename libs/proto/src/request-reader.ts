import { isUtf8 } from 'node:buffer';
import { BinaryReader } from '@bufbuild/protobuf/wire';

/**
 * Reads a request for the generated decoders. It detects texts that are not UTF-8 or contain NUL (open-points 1.7).
 * Such texts are still decoded, because other checks must come first.
 */
export class RequestReader extends BinaryReader {
  /** The bytes of the whole request. */
  readonly whole: Uint8Array;
  /** Whether any text read so far, at any depth, contains NUL or is not UTF-8. */
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
