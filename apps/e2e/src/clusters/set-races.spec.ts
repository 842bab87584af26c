import { expect, it } from '@jest/globals';
import { holding, shareOf } from '@platform/testing';
import * as proof from './cluster-sets.proof.ts';

it('a cluster that is added to two sets at the same time is in exactly one set', async () => {
  expect(await shareOf(proof, 0.012)).toEqual(holding);
}, 180_000);
