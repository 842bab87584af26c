import { basename } from 'node:path';
import { describe, expect, it } from '@jest/globals';

describe('the ground specs stand on', () => {
  it('releases what a block holds with `await using`', async () => {
    const released: string[] = [];
    {
      await using _inner = { async [Symbol.asyncDispose]() { released.push('inner'); } };
      using _outer = { [Symbol.dispose]() { released.push('outer'); } };
      expect(released).toEqual([]);
    }
    expect(released).toEqual(['outer', 'inner']);
  });

  it('knows where a module lies', () => {
    expect(basename(import.meta.dirname)).toBe('src');
    expect(basename(import.meta.filename)).toBe('ground.spec.ts');
  });

  it('runs on the pinned Node', () => {
    expect(process.versions.node.split('.')[0]).toBe('24');
  });
});
