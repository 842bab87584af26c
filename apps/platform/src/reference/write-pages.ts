// Without arguments, writes docs/cli.md, for `npm run generate -- --golden`. With a folder and a time in seconds since
// 1970, writes the manual pages of @platform/cli, for `npm run release`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addDeployment } from '../deployment-program.ts';
import { packageCommands } from '../package-commands.ts';
import { createProgram } from '../program.ts';
import { manualPages, markdownPage } from './pages.ts';

const [folder, epoch] = process.argv.slice(2);
if (folder === undefined) {
  const page = markdownPage(createProgram({}, [...packageCommands, addDeployment]));
  writeFileSync(join(import.meta.dirname, '../../../../docs/cli.md'), page);
} else {
  const pages = manualPages(createProgram({}, packageCommands), new Date(Number(epoch) * 1_000));
  for (const [file, text] of pages) writeFileSync(join(folder, file), text);
}
