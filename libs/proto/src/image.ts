import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The descriptor image of proto/: a `google.protobuf.FileDescriptorSet` with options and comments. */
export function readImage(): Promise<Uint8Array> {
  return readFile(join(import.meta.dirname, 'generated/image.binpb'));
}
