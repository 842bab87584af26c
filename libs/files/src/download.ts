import { Fault, notFound } from '@platform/faults';
import type { Deadline } from '@platform/service';
import type { FileLinks } from './file-links.ts';
import type { FileStore } from './file-store.ts';

/** The parameters of a link to a stored file. `name` is the path that the signature of the link covers. */
export interface DownloadRequest {
  readonly name: string;
  readonly expires: string;
  readonly signature: string;
}

/** A piece of a file. The first piece has the content type, the name and the size, but no bytes of the file. */
export interface DownloadPiece {
  readonly body: { contentType: string; data: Buffer; extensions: [] };
  readonly filename: string;
  readonly size: number | undefined;
}

export interface DownloadOptions {
  readonly store: FileStore;
  readonly links: FileLinks;
  /**
   * Returns the current key of the file for the name in a link. Returns undefined if the file was removed. Default: the
   * name itself.
   */
  readonly keyOf?: (name: string, deadline: Deadline) => Promise<string | undefined>;
}

/**
 * Streams the file of a link. The file name of the download is the last segment of the name in the link.
 * @throws Fault FORBIDDEN for a link that has expired or was altered, NOT_FOUND when the file was removed
 */
export async function* download(
  { name, expires, signature }: DownloadRequest, { deadline }: { readonly deadline: Deadline },
  { store, links, keyOf = (key) => Promise.resolve(key) }: DownloadOptions,
): AsyncGenerator<DownloadPiece, void, undefined> {
  if (!links.isValid(name, expires, signature)) throw new Fault('FORBIDDEN', 'the link has expired or was altered');
  const key = await keyOf(name, deadline);
  const file = key === undefined ? undefined : await store.read(key, deadline);
  if (file === undefined) throw notFound();
  const filename = name.slice(name.lastIndexOf('/') + 1);
  try {
    const body = { contentType: 'application/octet-stream', data: Buffer.alloc(0), extensions: [] as [] };
    yield { body, filename, size: file.size };
    for await (const data of file.content as AsyncIterable<Buffer>) {
      yield { body: { contentType: '', data, extensions: [] }, filename: '', size: undefined };
    }
  } finally {
    file.content.destroy();
  }
}
