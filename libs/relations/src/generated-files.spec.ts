import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { generatedFiles } from './generated-files.ts';

describe('files made from the table of relations', () => {
  it.each(generatedFiles())('$path is what the table yields', ({ path, text }) => {
    expect(readFileSync(path, 'utf8')).toBe(text);
  });
});
