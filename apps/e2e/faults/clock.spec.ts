import { expect, it } from '@jest/globals';
import { prove } from './clock.proof.ts';

it('a clock set back holds nothing up (a share of the proof clock-back)', async () => {
  const result = await prove({ seed: 20261121, share: 0.2, report: () => undefined });
  expect(result.counterexamples ?? []).toEqual([]);
  expect(result).toMatchObject({ holds: true });
}, 600_000);
