// Run by `npm run generate -- --golden`, for a change of the commands that was meant.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { markdownPage } from './pages.ts';
import { wholeProgram } from './whole-program.ts';

writeFileSync(join(import.meta.dirname, '../../../../docs/cli.md'), markdownPage(wholeProgram()));
