import { writeFileSync } from 'node:fs';
import { readImage } from '@platform/proto/image';
import { readSurface } from '@platform/surface';
import { committedFiles } from './committed.ts';

// Run by `npm run generate -- --golden`, for a change of the API that was meant.
for (const { file, text } of committedFiles(readSurface(await readImage()))) writeFileSync(file, text);
