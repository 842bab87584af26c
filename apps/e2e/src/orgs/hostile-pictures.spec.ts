import { describe, expect, it } from '@jest/globals';
import { prove } from './hostile-pictures.proof.ts';

describe('hostile pictures and forms', () => {
  it('are refused without growth, and without anybody else noticing', async () => {
    const result = await prove({ seed: 20261121, share: 0.05, report: () => undefined });
    expect(result.counterexamples).toEqual([]);
    expect(result).toMatchObject({ holds: true });
  }, 180_000);
});
