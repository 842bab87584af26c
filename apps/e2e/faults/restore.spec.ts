import { expect, it } from '@jest/globals';
import { prove } from './restore.proof.ts';

it('what was restored is right after a repair (a share of the proof restore)', async () => {
  const result = await prove({ seed: 20261121, share: 0.1, report: () => undefined });
  expect(result.counterexamples).toEqual([]);
  expect(result).toMatchObject({ holds: true });
}, 600_000);
