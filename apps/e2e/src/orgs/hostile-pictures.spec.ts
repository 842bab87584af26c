import { describe, expect, it } from '@jest/globals';
import { holding, shareOf } from '@platform/testing';
import * as proof from './hostile-pictures.proof.ts';

describe('hostile pictures and forms', () => {
  it('are refused without growth, and without anybody else noticing', async () => {
    expect(await shareOf(proof, 0.05)).toEqual(holding);
  }, 180_000);
});
