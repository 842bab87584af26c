import { expect, it } from '@jest/globals';
import { holding, shareOf } from '@platform/testing';
import { prove } from './marketplace-order.proof.ts';

it('ends in a state that follows from an order of the notifications, also when services are killed', async () => {
  expect(await shareOf(prove, 0.008)).toEqual(holding);
}, 120_000);
