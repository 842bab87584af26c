import { expect, it } from '@jest/globals';
import { prove } from './pages.proof.ts';

it('every list joins from its pages while rows come and go (a share of the proof pages)', async () => {
  expect(await prove({ seed: 1, share: 0.02, report: () => undefined })).toMatchObject({ holds: true });
}, 120_000);
