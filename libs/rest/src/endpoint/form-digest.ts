import { createHash, type Hash } from 'node:crypto';

/** The hash of a form's parts, without the boundaries between them: clients make a new boundary for each request. */
export class FormDigest {
  readonly #parts: Hash[] = [];

  /** Adds the content of a part. @param about other properties of the part, such as its file name */
  part(...about: readonly (string | undefined)[]): Hash {
    const part = createHash('sha256').update(JSON.stringify(about));
    this.#parts.push(part);
    return part;
  }

  /** Returns the hash. Call it once, after all parts have been read. */
  end(): Buffer {
    const whole = createHash('sha256');
    for (const part of this.#parts) whole.update(part.digest());
    return whole.digest();
  }
}
