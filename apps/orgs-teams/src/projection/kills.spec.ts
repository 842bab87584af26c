import { expect, it } from '@jest/globals';
import { prove } from './kills.proof.ts';

it('rows and engine agree after kills and cuts (a share of the proof projection-kills)', async () => {
  const result = await prove({ seed: 1, share: 0.05, report: () => undefined });
  expect(result).toMatchObject({ holds: true });
}, 300_000);
