import { expect, it } from '@jest/globals';
import { hasOwnClock, holding, shareOf } from '@platform/testing';
import * as proof from './clock.proof.ts';

const canBeTried = await hasOwnClock();
if (!canBeTried) process.stderr.write('A clock set back is not tried here: libfaketime is not installed.\n');

(canBeTried ? it : it.skip)('a clock set back holds nothing up (a share of the proof clock-back)', async () => {
  expect(await shareOf(proof, 0.2)).toEqual(holding);
}, 600_000);
