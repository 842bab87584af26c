import { expect, it } from '@jest/globals';
import { holding, shareOf } from '@platform/testing';
import * as proof from './ends.proof.ts';

it('what ends under load costs the calls it was at, at most (a share of the proof service-ends)', async () => {
  expect(await shareOf(proof, 0.01)).toEqual(holding);
}, 600_000);
