import { expect, it } from '@jest/globals';
import { holding, shareOf } from '@platform/testing';
import { prove } from './clock.proof.ts';

it('a clock set back holds nothing up (a share of the proof clock-back)', async () => {
  expect(await shareOf(prove, 0.2)).toEqual(holding);
}, 600_000);
