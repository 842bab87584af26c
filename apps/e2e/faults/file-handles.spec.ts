import { expect, it } from '@jest/globals';
import { prove } from './file-handles.proof.ts';

it('who is connected is served when file handles run out (a share of the proof file-handles)', async () => {
  const result = await prove({ seed: 20261121, share: 0.1, report: () => undefined });
  expect(result.counterexamples).toEqual([]);
  expect(result).toMatchObject({ holds: true });
}, 600_000);
