import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

let image: Promise<Uint8Array> | undefined;

/** The descriptor image of proto/: a `google.protobuf.FileDescriptorSet` with options and comments. Read once. */
export function readImage(): Promise<Uint8Array> {
  image ??= readFile(join(import.meta.dirname, 'generated/image.binpb')).catch((error: unknown) => {
    image = undefined;
    throw error;
  });
  return image;
}
