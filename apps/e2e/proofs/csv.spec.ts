import { expect, it } from '@jest/globals';
import { holding, shareOf } from '@platform/testing';
import * as proof from './csv.proof.ts';

it('holds, and no other program reads something else (a share of the proof csv)', async () => {
  expect(await shareOf(proof, 0.025)).toEqual(holding);
}, 120_000);
