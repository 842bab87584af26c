import { expect, it } from '@jest/globals';
import { holding, shareOf } from '@platform/testing';
import * as proof from './licences.proof.ts';

it('licences are accepted, and changed ones refused (a share of the proof licences)', async () => {
  expect(await shareOf(proof, 0.01)).toEqual(holding);
}, 120_000);
