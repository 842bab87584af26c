import { expect, it } from '@jest/globals';
import { holding, shareOf } from '@platform/testing';
import * as proof from './growth.proof.ts';

it('a check and a new member cost the same in a large organization (a share of the proof growth)', async () => {
  expect(await shareOf(proof, 0.05)).toEqual(holding);
}, 300_000);
