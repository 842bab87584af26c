import { expect, it } from '@jest/globals';
import { holding, shareOf } from '@platform/testing';
import { prove } from './licences.proof.ts';

it('licences are accepted, and changed ones refused (a share of the proof licences)', async () => {
  expect(await shareOf(prove, 0.01, 1)).toEqual(holding);
}, 120_000);
