import { expect, it } from '@jest/globals';
import { holding, shareOf } from '@platform/testing';
import * as proof from './pages.proof.ts';

it('every list joins from its pages while rows come and go (a share of the proof pages)', async () => {
  expect(await shareOf(proof, 0.02)).toEqual(holding);
}, 300_000);
