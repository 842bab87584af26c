import { expect, it } from '@jest/globals';
import { holding, shareOf } from '@platform/testing';
import * as proof from './idempotency.proof.ts';

it('many equal requests make one thing and get one answer, through kills (a share of the proof idempotency)', async () => {
  expect(await shareOf(proof, 0.002)).toEqual(holding);
}, 300_000);
