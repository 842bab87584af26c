import { expect, it } from '@jest/globals';
import { holding, shareOf } from '@platform/testing';
import * as proof from './same-as-engine.proof.ts';

it('REST answers what OpenFGA decides (a share of the proof same-as-engine)', async () => {
  expect(await shareOf(proof, 0.006)).toEqual(holding);
}, 300_000);
