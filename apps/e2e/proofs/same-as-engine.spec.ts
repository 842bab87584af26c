import { expect, it } from '@jest/globals';
import { prove } from './same-as-engine.proof.ts';

it('REST answers what OpenFGA decides (a share of the proof same-as-engine)', async () => {
  const result = await prove({ seed: 20261121, share: 0.01, report: () => undefined });
  expect(result.counterexamples).toEqual([]);
  expect(result).toMatchObject({ holds: true });
}, 300_000);
