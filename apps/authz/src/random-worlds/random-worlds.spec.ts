import { describe, expect, it } from '@jest/globals';
import { prove } from './random-worlds.proof.ts';

describe('the guard in random worlds', () => {
  it('decides as the engine does for the very user and object', async () => {
    const result = await prove({ seed: 20261121, share: 0.001, report: () => undefined });
    expect(result.counterexamples).toEqual([]);
    expect(result).toMatchObject({ holds: true });
  }, 120_000);
});
