import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

let image: Promise<Uint8Array> | undefined;

/** Reads the descriptor image of proto/ once: a `google.protobuf.FileDescriptorSet` with options and comments. */
export function readImage(): Promise<Uint8Array> {
  image ??= readFile(join(import.meta.dirname, 'generated/image.binpb')).catch((error: unknown) => {
    image = undefined;
    throw error;
  });
  return image;
}
