import { expect, it } from '@jest/globals';
import { holding, shareOf } from '@platform/testing';
import * as proof from './sign-in-timing.proof.ts';

it('an address with an account is answered as one without (a share of the proof sign-in-timing)', async () => {
  expect(await shareOf(proof, 0.02)).toEqual(holding);
}, 300_000);
