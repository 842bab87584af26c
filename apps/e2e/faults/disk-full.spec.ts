import { expect, it } from '@jest/globals';
import { holding, shareOf } from '@platform/testing';
import { prove } from './disk-full.proof.ts';

it('a full disk loses nothing (a share of the proof disk-full)', async () => {
  expect(await shareOf(prove, 0.1)).toEqual(holding);
}, 600_000);
