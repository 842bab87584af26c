import { expect, it } from '@jest/globals';
import { holding, shareOf } from '@platform/testing';
import * as proof from './restore.proof.ts';

it('a repair corrects a restored platform (a share of the proof restore)', async () => {
  expect(await shareOf(proof, 0.1)).toEqual(holding);
}, 600_000);
