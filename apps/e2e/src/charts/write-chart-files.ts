/**
 * Writes the generated files of charts, images, Docker Compose and Prometheus. `service-table.spec.ts` fails when they
 * differ.
 */
import { writeFile } from 'node:fs/promises';
import { chartFiles } from './chart-files.ts';

for (const [path, text] of await chartFiles()) await writeFile(path, text);
// Imported programs may keep the process running.
process.exit();
