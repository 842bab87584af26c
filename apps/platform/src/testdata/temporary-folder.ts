import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates a folder. With `await using`, the folder is removed at the end of the block. */
export async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'platform launcher '));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
