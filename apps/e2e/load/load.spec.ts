import { expect, it } from '@jest/globals';
import { prove } from './load.proof.ts';

it('under load every answer is what it must be (a share of the proof load)', async () => {
  const result = await prove({ seed: 20261121, share: 0.03, report: () => undefined });
  expect(result.counterexamples).toEqual([]);
  expect(result).toMatchObject({ holds: true });
}, 120_000);
