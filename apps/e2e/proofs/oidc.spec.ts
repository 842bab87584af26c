import { expect, it } from '@jest/globals';
import { holding, shareOf } from '@platform/testing';
import * as proof from './oidc.proof.ts';

it('providers that lie sign nobody in (a share of the proof oidc)', async () => {
  expect(await shareOf(proof, 0.01)).toEqual(holding);
}, 300_000);
