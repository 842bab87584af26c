import { join } from 'node:path';
import type { Surface } from '@platform/surface';
import { clientTypes } from './client-types.ts';
import { type Examples, openApiDocument, openApiText } from './document.ts';
import { errorReference } from './error-reference.ts';
import { grpcReference } from './grpc-reference.ts';

const root = join(import.meta.dirname, '../../..');

/**
 * Returns the generated files.
 * @throws Error if a method with a REST binding has no example, or if an example belongs to no such method
 */
export function committedFiles(surface: Surface, examples: Examples): { file: string; text: string }[] {
  const bound = new Set(surface.methods.filter(({ http }) => http !== undefined).map(({ fullName }) => fullName));
  const wrong = [
    ...[...bound].filter((name) => !examples.has(name)).map((name) => `${name} has no example beside its proto`),
    ...[...examples.keys()].filter((name) => !bound.has(name))
      .map((name) => `${name} has an example but no REST binding`),
  ];
  if (wrong.length > 0) throw new Error(`${wrong.join('\n')}\nsee step 6 of docs/adding-an-endpoint.md`);
  return [
    { file: join(root, 'docs/openapi.json'), text: openApiText(surface, examples) },
    { file: join(root, 'docs/errors.md'), text: errorReference(surface) },
    { file: join(root, 'docs/grpc.md'), text: grpcReference(surface) },
    { file: join(root, 'libs/client/src/generated/api.ts'), text: clientTypes(openApiDocument(surface)) },
  ];
}
