import { expect, it } from '@jest/globals';
import { holding, shareOf } from '@platform/testing';
import * as proof from './metricsproxy-ssrf.proof.ts';

it('no spelling of a forbidden address is connected to (a share of the proof metricsproxy-ssrf)', async () => {
  expect(await shareOf(proof, 0.05)).toEqual(holding);
}, 120_000);
