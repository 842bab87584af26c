import { expect, it } from '@jest/globals';
import { prove } from './postgres.proof.ts';

it('no outage of PostgreSQL makes a wrong answer (a share of the proof postgres-faults)', async () => {
  const result = await prove({ seed: 20261121, share: 0.05, report: () => undefined });
  expect(result.counterexamples).toEqual([]);
  expect(result).toMatchObject({ holds: true });
}, 600_000);
