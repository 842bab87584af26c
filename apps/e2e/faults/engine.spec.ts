import { expect, it } from '@jest/globals';
import { holding, shareOf } from '@platform/testing';
import * as proof from './engine.proof.ts';

it('no outage of OpenFGA allows what the rows do not (a share of the proof engine-faults)', async () => {
  expect(await shareOf(proof, 0.05)).toEqual(holding);
}, 600_000);
