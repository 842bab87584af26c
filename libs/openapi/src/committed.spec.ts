import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from '@jest/globals';
import { readImage } from '@platform/proto/image';
import { readSurface } from '@platform/surface';
import { committedFiles } from './committed.ts';

const files = committedFiles(readSurface(await readImage()));

test.each(files.map((one) => [basename(one.file), one] as const))(
  '%s is what follows from the protos (npm run generate -- --golden renews it)',
  (_name, { file, text }) => {
    expect(existsSync(file) ? readFileSync(file, 'utf8') : '').toBe(text);
  },
);
