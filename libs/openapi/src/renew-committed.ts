import { writeFileSync } from 'node:fs';
import { readExamples } from '@platform/proto/examples';
import { readImage } from '@platform/proto/image';
import { readSurface } from '@platform/surface';
import { committedFiles } from './committed.ts';

// Run by `npm run generate -- --golden`, for a change of the API that was meant.
const surface = readSurface(await readImage());
for (const { file, text } of committedFiles(surface, await readExamples())) writeFileSync(file, text);
