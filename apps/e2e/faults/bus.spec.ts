import { expect, it } from '@jest/globals';
import { prove } from './bus.proof.ts';

it('without a bus all goes on that does not need it (a share of the proof bus-faults)', async () => {
  const result = await prove({ seed: 20261121, share: 0.05, report: () => undefined });
  expect(result.counterexamples).toEqual([]);
  expect(result).toMatchObject({ holds: true });
}, 600_000);
