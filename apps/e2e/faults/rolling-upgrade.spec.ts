import { expect, it } from '@jest/globals';
import { holding, shareOf } from '@platform/testing';
import * as proof from './rolling-upgrade.proof.ts';

it('old and new replicas serve side by side (a share of the proof rolling-upgrade)', async () => {
  expect(await shareOf(proof, 0.1)).toEqual(holding);
}, 600_000);
