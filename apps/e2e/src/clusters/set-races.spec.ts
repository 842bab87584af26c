import { expect, it } from '@jest/globals';
import { holding, shareOf } from '@platform/testing';
import { prove } from './cluster-sets.proof.ts';

it('keeps a cluster in exactly one set whatever happens at once', async () => {
  expect(await shareOf(prove, 0.012)).toEqual(holding);
}, 180_000);
