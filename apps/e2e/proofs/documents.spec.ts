import { expect, it } from '@jest/globals';
import { holding, shareOf } from '@platform/testing';
import * as proof from './documents.proof.ts';

it('hostile forms, large documents and altered links do no harm (a share of the proof documents)', async () => {
  expect(await shareOf(proof, 0.05)).toEqual(holding);
}, 180_000);
