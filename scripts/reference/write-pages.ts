// Writes the reference pages that are made from tables of several projects, for `npm run generate -- --golden`.
import { writeFileSync } from 'node:fs';
import { referencePages } from './reference-pages.ts';

for (const { file, text } of await referencePages()) writeFileSync(file, text);
