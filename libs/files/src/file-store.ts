import type { Deadline } from '@platform/service';

/**
 * Files by key, in a folder or in a bucket. A key is made of segments of lower-case letters, digits, `-`, `_` and `.`,
 * separated by `/`, each beginning with a letter or digit: `avatars/3f2c…`. Any other key is a TypeError.
 *
 * All throw Unavailable when the store does not serve, DeadlineExceeded when it is too slow; both may be tried again.
 */
export interface FileStore extends AsyncDisposable {
  /** Keeps a file, whole or not at all, and for good once it resolves. A file of the same key is replaced. */
  put(key: string, content: Uint8Array, deadline: Deadline): Promise<void>;
  /** The file as it was put; undefined when there is none. */
  get(key: string, deadline: Deadline): Promise<Buffer | undefined>;
  /** Removes a file; harmless when there is none. */
  remove(key: string, deadline: Deadline): Promise<void>;
}

const form = /^[a-z0-9][a-z0-9._-]*(?:\/[a-z0-9][a-z0-9._-]*)*$/;
const mostCharacters = 200;

/**
 * Such keys are paths that stay where they belong, on every file system and in every bucket.
 * @throws TypeError
 */
export function checkKey(key: string): void {
  if (key.length > mostCharacters || !form.test(key)) throw new TypeError(`no key of a file: ${JSON.stringify(key)}`);
}
