import { expect, it } from '@jest/globals';
import { holding, mayMount, shareOf } from '@platform/testing';
import * as proof from './disk-full.proof.ts';

const canBeTried = await mayMount();
if (!canBeTried) process.stderr.write('A full disk is not tried here: no disk may be mounted.\n');

(canBeTried ? it : it.skip)('a full disk loses nothing (a share of the proof disk-full)', async () => {
  expect(await shareOf(proof, 0.1)).toEqual(holding);
}, 600_000);
