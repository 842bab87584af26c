import type { Readable } from 'node:stream';
import type { Deadline } from '@platform/service';

/**
 * Files by key, in a folder or in a bucket. A key is made of segments of lower-case letters, digits, `-`, `_` and `.`,
 * separated by `/`, each beginning with a letter or digit: `avatars/3f2c…`. Any other key is a TypeError.
 *
 * All throw Unavailable when the store does not work and DeadlineExceeded when it is too slow; both may be tried again.
 */
export interface FileStore extends AsyncDisposable {
  /** Stores a file, whole or not at all, and durably. A file of the same key is replaced. */
  put(key: string, content: Uint8Array, deadline: Deadline): Promise<void>;
  /** The file as it was put; undefined when there is none. */
  get(key: string, deadline: Deadline): Promise<Buffer | undefined>;
  /** Like put, for content that arrives in pieces. Returns its size in bytes; throws what `content` throws. */
  write(key: string, content: AsyncIterable<Uint8Array>, deadline: Deadline): Promise<number>;
  /** Like get, in pieces. The deadline holds for the reading, too. */
  read(key: string, deadline: Deadline): Promise<StoredFile | undefined>;
  /** Renames a file and replaces one of the new key. Returns whether the file is there; a repetition is harmless. */
  move(from: string, to: string, deadline: Deadline): Promise<boolean>;
  /** Removes a file; harmless when there is none. */
  remove(key: string, deadline: Deadline): Promise<void>;
  /** Removes the files directly in a folder that were stored before a moment. Returns how many. */
  removeOlder(folder: string, before: Date, deadline: Deadline): Promise<number>;
}

/** A file that is being read. */
export interface StoredFile {
  /** In bytes. */
  readonly size: number;
  /** Must be read to its end or destroyed. */
  readonly content: Readable;
}

const form = /^[a-z0-9][a-z0-9._-]*(?:\/[a-z0-9][a-z0-9._-]*)*$/;
const mostCharacters = 200;

/**
 * Such keys are valid on every file system and in every bucket, and never lead out of the store.
 * @throws TypeError
 */
export function checkKey(key: string): void {
  if (key.length > mostCharacters || !form.test(key)) throw new TypeError(`not a file key: ${JSON.stringify(key)}`);
}
