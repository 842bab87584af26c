import { expect, it } from '@jest/globals';
import { holding, shareOf } from '@platform/testing';
import * as proof from './contract-audit.proof.ts';

it('each change of a contract has one event, also when the service dies (a share of the proof contract-audit)', async () => {
  expect(await shareOf(proof, 0.015)).toEqual(holding);
}, 300_000);
