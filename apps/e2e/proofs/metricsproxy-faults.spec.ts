import { expect, it } from '@jest/globals';
import { holding, shareOf } from '@platform/testing';
import * as proof from './metricsproxy-faults.proof.ts';

it('faults of dashboards and kills leave all or nothing (a share of the proof metricsproxy-faults)', async () => {
  expect(await shareOf(proof, 0.04)).toEqual(holding);
}, 180_000);
