import { expect, it } from '@jest/globals';
import { holding, shareOf } from '@platform/testing';
import { prove } from './kills.proof.ts';

it('rows and engine agree after kills and cuts (a share of the proof projection-kills)', async () => {
  expect(await shareOf(prove, 0.05, 1)).toEqual(holding);
}, 300_000);
