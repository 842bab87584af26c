import { expect, it } from '@jest/globals';
import { holding, shareOf } from '@platform/testing';
import * as proof from './postgres.proof.ts';

it('no outage of PostgreSQL makes a wrong answer (a share of the proof postgres-faults)', async () => {
  expect(await shareOf(proof, 0.05)).toEqual(holding);
}, 600_000);
