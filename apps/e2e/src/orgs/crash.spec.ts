import { expect, it } from '@jest/globals';
import { prove } from '../../proofs/crash.proof.ts';

it('what must never be is not after kills during mixed changes (a share of the proof crash)', async () => {
  const result = await prove({ seed: 20261121, share: 0.1, report: () => undefined });
  expect(result.counterexamples).toEqual([]);
  expect(result).toMatchObject({ holds: true });
}, 300_000);
