import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { derivedFiles } from './derived-files.ts';

describe('files made from the table of relations', () => {
  it.each(derivedFiles())('$path is what the table yields', ({ path, text }) => {
    expect(readFileSync(path, 'utf8')).toBe(text);
  });
});
