import { join } from 'node:path';
import type { Surface } from '@platform/surface';
import { clientTypes } from './client-types.ts';
import { openApiDocument, openApiText } from './document.ts';
import { grpcReference } from './grpc-reference.ts';

const root = join(import.meta.dirname, '../../..');

/** Committed files that are made from the descriptor image, with what belongs into them. */
export function committedFiles(surface: Surface): { file: string; text: string }[] {
  return [
    { file: join(root, 'docs/openapi.json'), text: openApiText(surface) },
    { file: join(root, 'docs/grpc.md'), text: grpcReference(surface) },
    { file: join(root, 'libs/client/src/generated/api.ts'), text: clientTypes(openApiDocument(surface)) },
  ];
}
