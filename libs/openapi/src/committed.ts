import { join } from 'node:path';
import type { Surface } from '@platform/surface';
import { openApiText } from './document.ts';
import { grpcReference } from './grpc-reference.ts';

const docs = join(import.meta.dirname, '../../../docs');

/** Files under docs/ that are made from the descriptor image, with what belongs into them. */
export function committedFiles(surface: Surface): { file: string; text: string }[] {
  return [
    { file: join(docs, 'openapi.json'), text: openApiText(surface) },
    { file: join(docs, 'grpc.md'), text: grpcReference(surface) },
  ];
}
