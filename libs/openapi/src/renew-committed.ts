import { writeFileSync } from 'node:fs';
import { readExamples } from '@platform/proto/examples';
import { readImage } from '@platform/proto/image';
import { readSurface } from '@platform/surface';
import { committedFiles } from './committed.ts';

// `npm run generate -- --golden` runs this file. Run the command after an intended change of the API.
const surface = readSurface(await readImage());
for (const { file, text } of committedFiles(surface, await readExamples())) writeFileSync(file, text);
