// `api()` loads this module when it is first called.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenApiDocument } from '@platform/openapi';
import { readImage } from '@platform/proto/image';
import { readSurface } from '@platform/surface';
import { documentCheck } from './document-check.ts';
import { repositoryRoot } from './repository.ts';

export const surface = readSurface(await readImage());
// The document is read, not generated: the specs of libs/openapi compare the committed document with the protos.
const committed = await readFile(join(repositoryRoot, 'docs/openapi.json'), 'utf8');
export const check = documentCheck(JSON.parse(committed) as OpenApiDocument);
