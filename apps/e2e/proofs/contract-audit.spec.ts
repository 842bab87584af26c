import { expect, it } from '@jest/globals';
import { holding, shareOf } from '@platform/testing';
import { prove } from './contract-audit.proof.ts';

it('each change of a contract has one event, also when the service dies (a share of the proof contract-audit)', async () => {
  expect(await shareOf(prove, 0.015)).toEqual(holding);
}, 300_000);
