import type { Readable } from 'node:stream';
import type { Deadline } from '@platform/service';

/**
 * Files by key, in a folder or in a bucket. An example of a key is `avatars/3f2c…`. A key has at most 200 characters.
 * The separator `/` divides a key into segments. A segment begins with a lower-case letter or a digit. After this
 * character, it may also contain `-`, `_` and `.`. Any other key causes a TypeError.
 *
 * Methods throw Unavailable when the store does not work, and DeadlineExceeded when it is too slow. After these errors,
 * a call may be repeated.
 */
export interface FileStore extends AsyncDisposable {
  /** Stores a file durably, and completely or not at all. Overwrites a file that already has this key. */
  put(key: string, content: Uint8Array, deadline: Deadline): Promise<void>;
  /** Returns the content of a file; undefined if no file has this key. */
  get(key: string, deadline: Deadline): Promise<Buffer | undefined>;
  /** Like put, for content that arrives in pieces. Returns the size in bytes. Also throws the errors of `content`. */
  write(key: string, content: AsyncIterable<Uint8Array>, deadline: Deadline): Promise<number>;
  /** Like get, but returns the content as a stream. The deadline also applies to reading the stream. */
  read(key: string, deadline: Deadline): Promise<StoredFile | undefined>;
  /**
   * Renames a file. Overwrites a file that already has the new key. Returns whether a file now has the new key. May be
   * repeated.
   */
  move(from: string, to: string, deadline: Deadline): Promise<boolean>;
  /** Removes a file. Does nothing if no file has this key. */
  remove(key: string, deadline: Deadline): Promise<void>;
  /**
   * Removes the files directly in a folder, if they were stored before a time. Keeps the files in subfolders. Returns
   * the number of removed files.
   */
  removeOlder(folder: string, before: Date, deadline: Deadline): Promise<number>;
}

export interface StoredFile {
  /** In bytes. */
  readonly size: number;
  /** Must be read to its end or destroyed. */
  readonly content: Readable;
}

const form = /^[a-z0-9][a-z0-9._-]*(?:\/[a-z0-9][a-z0-9._-]*)*$/;
const mostCharacters = 200;

/** @throws TypeError for an invalid key. A valid key cannot lead out of the folder or bucket. */
export function checkKey(key: string): void {
  if (key.length > mostCharacters || !form.test(key)) throw new TypeError(`not a file key: ${JSON.stringify(key)}`);
}
