import { expect, it } from '@jest/globals';
import { holding, shareOf } from '@platform/testing';
import * as proof from './revocation.proof.ts';

it('a right that was taken away is used by nobody (a share of the proof revocation)', async () => {
  expect(await shareOf(proof, 0.0006)).toEqual(holding);
}, 300_000);
