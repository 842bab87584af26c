import { createHash, type Hash } from 'node:crypto';

/** The hash of a form's parts, without the boundaries, because clients may use new boundaries in each request. */
export class FormDigest {
  readonly #parts: Hash[] = [];

  /** Adds a part. The caller must add the part's content to the returned hash. @param about name, file name and type */
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
