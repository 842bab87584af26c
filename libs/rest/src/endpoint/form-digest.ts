import { createHash, type Hash } from 'node:crypto';

/** The hash of a form's parts, without the boundaries, because clients may use new boundaries in each request. */
export class FormDigest {
  readonly #parts: Hash[] = [];

  /** Adds a part. Returns the hash for its content. @param about its other properties, such as its file name */
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
