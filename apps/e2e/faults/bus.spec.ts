import { expect, it } from '@jest/globals';
import { holding, shareOf } from '@platform/testing';
import * as proof from './bus.proof.ts';

it('without a bus all goes on that does not need it (a share of the proof bus-faults)', async () => {
  expect(await shareOf(proof, 0.05)).toEqual(holding);
}, 600_000);
