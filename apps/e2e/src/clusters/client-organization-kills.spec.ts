import { expect, it } from '@jest/globals';
import { holding, shareOf } from '@platform/testing';
import * as proof from './client-organization-kills.proof.ts';

it('after kills at stored steps there is one organization, and then nothing of it', async () => {
  expect(await shareOf(proof, 0.01)).toEqual(holding);
}, 240_000);
