import { describe, expect, it } from '@jest/globals';
import { holding, shareOf } from '@platform/testing';
import { prove } from './hostile-pictures.proof.ts';

describe('hostile pictures and forms', () => {
  it('are refused without growth, and without anybody else noticing', async () => {
    expect(await shareOf(prove, 0.05)).toEqual(holding);
  }, 180_000);
});
