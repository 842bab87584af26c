import { describe, expect, it } from '@jest/globals';
import { prove } from './no-escalation.proof.ts';

describe('a viewer with one pair of the catalogue', () => {
  it('gains nothing by any calls, whichever pair it is', async () => {
    // Each pair once.
    const result = await prove({ seed: 20261121, share: 1 / 60, report: () => undefined });
    expect(result.counterexamples).toEqual([]);
    expect(result).toMatchObject({ holds: true });
  }, 300_000);
});
