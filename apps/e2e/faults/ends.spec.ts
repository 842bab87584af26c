import { expect, it } from '@jest/globals';
import { prove } from './ends.proof.ts';

it('what ends under load costs at most the calls it was at (a share of the proof service-ends)', async () => {
  const result = await prove({ seed: 20261121, share: 0.01, report: () => undefined });
  expect(result.counterexamples).toEqual([]);
  expect(result).toMatchObject({ holds: true });
}, 600_000);
