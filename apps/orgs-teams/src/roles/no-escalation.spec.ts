import { describe, expect, it } from '@jest/globals';
import { holding, shareOf } from '@platform/testing';
import * as proof from './no-escalation.proof.ts';

describe('a viewer with one pair of the catalogue', () => {
  it('gains nothing by any calls, for each pair', async () => {
    // This share runs one sequence for each pair.
    expect(await shareOf(proof, 1 / 60)).toEqual(holding);
  }, 300_000);
});
