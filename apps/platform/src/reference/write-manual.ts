// `node write-manual.ts FOLDER EPOCH`: writes the manual pages of the package @platform/cli, for `npm run release`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { manualPages } from './pages.ts';
import { packageProgram } from './whole-program.ts';

const [folder, epoch] = process.argv.slice(2);
if (folder === undefined || epoch === undefined) {
  throw new Error('give a folder, and the time of the release in seconds');
}
const pages = manualPages(packageProgram(), new Date(Number(epoch) * 1_000));
for (const [file, text] of pages) writeFileSync(join(folder, file), text);
