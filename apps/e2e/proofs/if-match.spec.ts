import { expect, it } from '@jest/globals';
import { holding, shareOf } from '@platform/testing';
import * as proof from './if-match.proof.ts';

it('two writers lose no update (a share of the proof if-match)', async () => {
  expect(await shareOf(proof, 0.005)).toEqual(holding);
}, 300_000);
