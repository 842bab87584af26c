import { expect, it } from '@jest/globals';
import { outageOf } from './outage-of.ts';

it('an outage lasts as long as it is to', async () => {
  const begun = performance.now();
  await outageOf(40);
  // Timers count whole milliseconds.
  expect(performance.now() - begun).toBeGreaterThan(39);
});
