import { expect, it } from '@jest/globals';
import { holding, shareOf } from '@platform/testing';
import * as proof from '../../proofs/crash.proof.ts';

it('what must never be is not after kills during mixed changes (a share of the proof crash)', async () => {
  expect(await shareOf(proof, 0.1)).toEqual(holding);
}, 300_000);
