import { expect, it } from '@jest/globals';
import { prove } from './disk-full.proof.ts';

it('a full disk loses nothing (a share of the proof disk-full)', async () => {
  const result = await prove({ seed: 20261121, share: 0.1, report: () => undefined });
  expect(result.counterexamples ?? []).toEqual([]);
  expect(result).toMatchObject({ holds: true });
}, 600_000);
