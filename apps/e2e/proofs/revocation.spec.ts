import { expect, it } from '@jest/globals';
import { prove } from './revocation.proof.ts';

it('a right that was taken away is used by nobody (a share of the proof revocation)', async () => {
  const result = await prove({ seed: 20261121, share: 0.006, report: () => undefined });
  expect(result.counterexamples).toEqual([]);
  expect(result).toMatchObject({ holds: true });
}, 300_000);
