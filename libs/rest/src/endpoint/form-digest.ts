import { createHash, type Hash } from 'node:crypto';

/** The hash of a form: of its parts, whatever stands between them. Clients make a new boundary for each request. */
export class FormDigest {
  readonly #parts: Hash[] = [];

  /** Takes the content of a part. @param about what else names it, such as its file name */
  part(...about: readonly (string | undefined)[]): Hash {
    const part = createHash('sha256').update(JSON.stringify(about));
    this.#parts.push(part);
    return part;
  }

  /** Call it once, when all parts have been read. */
  end(): Buffer {
    const whole = createHash('sha256');
    for (const part of this.#parts) whole.update(part.digest());
    return whole.digest();
  }
}
