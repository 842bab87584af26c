import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { writeCodeStyles } from './strict-files.ts';

it('sorts the styles, so that the order of the pages does not matter', () => {
  const folder = mkdtempSync(join(tmpdir(), 'platform-site-'));
  try {
    const [first, second] = ['.code-a{--shiki-light:#111;--shiki-dark:#eee}', '.code-b{--shiki-light:#222}'];
    for (const css of [`${first}${second}`, `${second}${first}`]) {
      writeCodeStyles(css, folder);
      expect(readFileSync(join(folder, 'assets/code.css'), 'utf8')).toBe(`${first}${second}`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
