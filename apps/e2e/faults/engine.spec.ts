import { expect, it } from '@jest/globals';
import { prove } from './engine.proof.ts';

it('no outage of OpenFGA allows what the rows do not (a share of the proof engine-faults)', async () => {
  const result = await prove({ seed: 20261121, share: 0.05, report: () => undefined });
  expect(result.counterexamples).toEqual([]);
  expect(result).toMatchObject({ holds: true });
}, 600_000);
