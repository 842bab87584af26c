import { expect, it } from '@jest/globals';
import { holding, shareOf } from '@platform/testing';
import * as proof from './metricsproxy-revocation.proof.ts';

it('the query after a revocation is refused (a share of the proof metricsproxy-revocation)', async () => {
  expect(await shareOf(proof, 0.01)).toEqual(holding);
}, 120_000);
