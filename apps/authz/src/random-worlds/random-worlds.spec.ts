import { describe, expect, it } from '@jest/globals';
import { holding, shareOf } from '@platform/testing';
import * as proof from './random-worlds.proof.ts';

describe('the guard in random worlds', () => {
  it('decides as the engine does for the very user and object', async () => {
    expect(await shareOf(proof, 0.001)).toEqual(holding);
  }, 120_000);
});
