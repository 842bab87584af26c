import { expect, it } from '@jest/globals';
import { holding, shareOf } from '@platform/testing';
import * as proof from './marketplace-order.proof.ts';

it('ends in a state that follows from an order of the notifications, also when services are killed', async () => {
  expect(await shareOf(proof, 0.008)).toEqual(holding);
}, 120_000);
