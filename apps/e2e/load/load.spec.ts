import { expect, it } from '@jest/globals';
import { holding, shareOf } from '@platform/testing';
import * as proof from './load.proof.ts';

it('under load every answer is what it must be (a share of the proof load)', async () => {
  expect(await shareOf(proof, 0.03)).toEqual(holding);
}, 120_000);
