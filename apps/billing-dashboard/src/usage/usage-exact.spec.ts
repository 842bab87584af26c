import { expect, it } from '@jest/globals';
import { holding, shareOf } from '@platform/testing';
import * as proof from './usage-exact.proof.ts';

it('every number equals that of the oracle (a share of the proof usage-exact)', async () => {
  expect(await shareOf(proof, 0.001)).toEqual(holding);
}, 120_000);
