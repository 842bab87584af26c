import { randomUUID } from 'node:crypto';
import { Fault } from '@platform/faults';
import type { Caller } from '@platform/proto/orgs/v1/identity';
import { createSealer, type Deadline, Secret, SealBroken } from '@platform/service';
import type { FileStore } from './file-store.ts';

/** How long the handle of an upload is valid, in milliseconds. */
const handleMs = 60 * 60 * 1000;
/** Minimum age of the uploads that `removeAbandoned` removes, in milliseconds. */
const keptMs = 24 * 60 * 60 * 1000;
const folder = 'uploads';
/** Purpose for which handles are sealed. A secret that is sealed for another purpose is not accepted as a handle. */
const sealedFor = 'upload';

/** A message of an upload stream. The first message has the file's name and type. Every message may have bytes. */
export interface UploadRequest {
  readonly filename: string;
  readonly contentType: string;
  readonly chunk: Buffer | Uint8Array;
}

export interface UploadedFile {
  /** Temporary key of the file in the store. {@link Uploads.keep} moves the file to another key. */
  readonly key: string;
  /** Name that the client has sent. Do not use it in a path. */
  readonly filename: string;
  readonly contentType: string;
  /** In bytes. */
  readonly size: number;
}

interface Uploader { readonly caller: Caller | undefined }

/**
 * Files that a service receives in two calls. The first call stores a file and returns a handle. With the handle, the
 * second call moves the file to its final key.
 */
export interface Uploads {
  /**
   * Stores the file that a client streams. Returns its size in bytes, and its handle `upload`. Only the same caller can
   * use the handle.
   * @throws Fault VALIDATION_FAILED if the file is empty, BODY_TOO_LARGE if it has more than `mostBytes`
   */
  receive(
    requests: AsyncIterable<UploadRequest>, context: Uploader & { readonly deadline: Deadline },
  ): Promise<{ upload: string; size: number }>;
  /** Reads a handle. @throws Fault VALIDATION_FAILED if it has expired, is not valid, or belongs to another caller */
  open(handle: string, context: Uploader): UploadedFile;
  /** Moves a file to its final key. May be repeated. @throws Fault VALIDATION_FAILED if the upload was removed */
  keep(file: UploadedFile, key: string, deadline: Deadline): Promise<void>;
  /** Removes uploads that were not kept within a day. Returns the number of removed uploads. */
  removeAbandoned(deadline: Deadline): Promise<number>;
}

interface UploadsOptions {
  readonly store: FileStore;
  /** `secrets.encryptionKeys`: handles are sealed with the first key. */
  readonly keys: readonly Secret[];
  /** Maximum size of a file in bytes; default 10 MiB (open-points 1.9). */
  readonly mostBytes?: number;
  readonly now?: () => number;
}

interface Handle extends UploadedFile {
  readonly callerId: number;
  /** Unix milliseconds. */
  readonly expires: number;
}

export function createUploads(options: UploadsOptions): Uploads {
  const { store, keys, mostBytes = 10 * 1024 * 1024, now = () => Date.now() } = options;
  const sealer = createSealer(keys);
  return {
    receive: async (requests, { caller, deadline }) => {
      const iterator = requests[Symbol.asyncIterator]();
      const first = await iterator.next();
      if (first.done === true) throw missing();
      const { filename, contentType } = first.value;
      const key = `${folder}/${randomUUID()}`;
      const size = await store.write(key, bytesOf(first.value, iterator, mostBytes), deadline);
      if (size === 0) {
        await store.remove(key, deadline);
        throw missing();
      }
      const handle: Handle = { key, filename, contentType, size, callerId: caller?.id ?? 0, expires: now() + handleMs };
      const { keyId, bytes } = sealer.seal(new Secret(JSON.stringify(handle)), sealedFor);
      return { upload: `${keyId}.${bytes.toString('base64url')}`, size };
    },
    open: (text, { caller }) => {
      const [keyId = '', bytes = ''] = text.split('.');
      try {
        const sealed = sealer.open({ keyId, bytes: Buffer.from(bytes, 'base64url') }, sealedFor);
        const { callerId, expires, ...file } = JSON.parse(sealed.reveal()) as Handle;
        if (callerId === (caller?.id ?? 0) && now() < expires) return file;
      } catch (error) {
        if (!(error instanceof SealBroken)) throw error;
      }
      throw gone();
    },
    keep: async ({ key }, to, deadline) => {
      if (!(await store.move(key, to, deadline))) throw gone();
    },
    removeAbandoned: (deadline) => store.removeOlder(folder, new Date(now() - keptMs), deadline),
  };
}

async function* bytesOf(
  first: UploadRequest, rest: AsyncIterator<UploadRequest>, most: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let size = 0;
  for (let next: IteratorResult<UploadRequest> = { value: first }; next.done !== true; next = await rest.next()) {
    const { chunk } = next.value;
    size += chunk.length;
    if (size > most) throw new Fault('BODY_TOO_LARGE', `a file may have up to ${most} bytes`);
    if (chunk.length > 0) yield chunk;
  }
}

function missing(): Fault {
  return new Fault('VALIDATION_FAILED', 'the file is empty');
}

function gone(): Fault {
  return new Fault('VALIDATION_FAILED', 'the upload is unknown or has expired: send the file again');
}

/**
 * Returns the extension of a file name in lower case, such as `.pdf` (open-points 5.7). An extension has 1 to 16 ASCII
 * letters and digits. Returns an empty text if the name has no extension.
 */
export function extensionOf(filename: string): string {
  return /\.[A-Za-z0-9]{1,16}$/.exec(filename)?.[0].toLowerCase() ?? '';
}
