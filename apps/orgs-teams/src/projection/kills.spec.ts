import { expect, it } from '@jest/globals';
import { holding, shareOf } from '@platform/testing';
import * as proof from './kills.proof.ts';

it('rows and engine agree after kills and cuts (a share of the proof projection-kills)', async () => {
  expect(await shareOf(proof, 0.05)).toEqual(holding);
}, 300_000);
