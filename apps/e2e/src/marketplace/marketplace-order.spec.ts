import { expect, it } from '@jest/globals';
import { holding, shareOf } from '@platform/testing';
import { prove } from './marketplace-order.proof.ts';

it('comes to what an order of the notifications gives, whatever is killed meanwhile', async () => {
  expect(await shareOf(prove, 0.008)).toEqual(holding);
}, 120_000);
