import { expect, it } from '@jest/globals';
import { prove } from './rolling-upgrade.proof.ts';

it('old and new replicas serve side by side (a share of the proof rolling-upgrade)', async () => {
  const result = await prove({ seed: 20261121, share: 0.1, report: () => undefined });
  expect(result.counterexamples).toEqual([]);
  expect(result).toMatchObject({ holds: true });
}, 600_000);
