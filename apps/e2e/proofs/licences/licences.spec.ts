import { expect, it } from '@jest/globals';
import { holding, shareOf } from '@platform/testing';
import * as quotaProof from './issue-quota.proof.ts';
import * as revokeProof from './issue-revoke.proof.ts';
import * as rotationProof from './license-rotation.proof.ts';

it('parallel issues never pass a quota, and always reach it (a share of the proof issue-quota)', async () => {
  expect(await shareOf(quotaProof, 0.003)).toEqual(holding);
}, 300_000);

it('no licence follows the answer to a revocation (a share of the proof issue-revoke)', async () => {
  expect(await shareOf(revokeProof, 0.01)).toEqual(holding);
}, 300_000);

it('no valid licence fails while authorities rotate (a share of the proof license-rotation)', async () => {
  expect(await shareOf(rotationProof, 0.04)).toEqual(holding);
}, 300_000);
