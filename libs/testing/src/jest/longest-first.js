import { readFileSync } from 'node:fs';

import * as sequencer from '@jest/test-sequencer';

const Sequencer = sequencer.default.default ?? sequencer.default;

/**
 * Keeps jest's own order (longest first if the durations are known, else largest first), but puts shares of proofs
 * first: they are small files that take minutes, so at the end one worker would wait for another.
 */
export default class LongestFirst extends Sequencer {
  async sort(tests) {
    const order = await super.sort(tests);
    const proofs = new Set(order.filter(({ path }) => /\bshareOf\(/.test(readFileSync(path, 'utf8'))));
    return [...proofs, ...order.filter((test) => !proofs.has(test))];
  }
}
