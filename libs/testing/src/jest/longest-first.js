import { readFileSync } from 'node:fs';

import * as sequencer from '@jest/test-sequencer';

const Sequencer = sequencer.default.default ?? sequencer.default;

/**
 * jest's own order (longest first where it knows how long files took, largest first where it does not), but shares of
 * proofs come before all: they are small files that take minutes, and at the end one worker would wait for the other.
 */
export default class LongestFirst extends Sequencer {
  async sort(tests) {
    const order = await super.sort(tests);
    const proofs = new Set(order.filter(({ path }) => /\bshareOf\(/.test(readFileSync(path, 'utf8'))));
    return [...proofs, ...order.filter((test) => !proofs.has(test))];
  }
}
