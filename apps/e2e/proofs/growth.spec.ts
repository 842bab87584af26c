import { expect, it } from '@jest/globals';
import { prove } from './growth.proof.ts';

it('a check and a new member cost the same in a large organization (a share of the proof growth)', async () => {
  const result = await prove({ seed: 1, share: 0.05, report: () => undefined });
  expect(result).toMatchObject({ holds: true });
}, 300_000);
