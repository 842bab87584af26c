import { isUtf8 } from 'node:buffer';
import { Fault } from '@platform/faults';

/** Collects the texts of a form. Together they may be as large as a JSON body (open-points 1.9). */
export class ArrivingTexts {
  bytes = 0;
  readonly byName = new Map<string, (string | undefined)[]>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  count(bytes: string | Buffer): Fault | undefined {
    this.bytes += Buffer.byteLength(bytes);
    if (this.bytes <= this.#most) return undefined;
    return new Fault('BODY_TOO_LARGE', `the texts of a form may have up to ${this.#most} bytes together`);
  }

  add(name: string, text: string): void {
    this.#add(name, hasBadBytes(text) || text.includes('\0') ? undefined : text);
  }

  /** Adds a text that arrives as bytes. @throws Fault if the text is incomplete, or the texts are too large together */
  async read(name: string, content: AsyncIterable<Buffer>): Promise<void> {
    const place = this.#add(name, undefined);
    const pieces: Buffer[] = [];
    for await (const bytes of content) {
      const fault = this.count(bytes);
      if (fault) throw fault;
      pieces.push(bytes);
    }
    const whole = Buffer.concat(pieces);
    if (isUtf8(whole) && !whole.includes(0)) this.byName.get(name)![place] = whole.toString();
  }

  #add(name: string, text: string | undefined): number {
    const known = this.byName.get(name);
    if (known) return known.push(text) - 1;
    this.byName.set(name, [text]);
    return 0;
  }
}

/** Whether a text may have had bytes that are not UTF-8. The form parser replaces such bytes with U+FFFD. */
export function hasBadBytes(text: string): boolean {
  return text.includes('\ufffd');
}
