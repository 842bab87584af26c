// Writes all committed files that are made from the table of relations. Run it after changing the table.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { derivedFiles } from './derived-files.ts';

for (const { path, text } of derivedFiles()) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
