import { expect, it } from '@jest/globals';

import { verdictOf } from './proof-progress.ts';

it.each([
  [true, 'holds', 0],
  [false, 'DOES NOT HOLD', 1],
  [undefined, 'not run, or only in part: this machine lacks something', 3],
])('%s: it %s, and the run ends with %d', (holds, says, exitCode) => {
  expect(verdictOf({ holds })).toEqual({ says, exitCode });
});
