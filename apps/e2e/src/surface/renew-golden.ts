import { writeFileSync } from 'node:fs';
import { readImage } from '@platform/proto/image';
import { readSurface } from '@platform/surface';
import { describeRoutes, goldenRoutesFile } from './routes.ts';

// Run by `npm run generate -- --golden` after an intended change of the API.
writeFileSync(goldenRoutesFile, describeRoutes(readSurface(await readImage())));
