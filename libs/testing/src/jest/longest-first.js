import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import * as sequencer from '@jest/test-sequencer';

import { repositoryRoot } from '../repository.ts';

const Sequencer = sequencer.default.default ?? sequencer.default;

/** The files that take longest, the slowest one first. `npm test` lists them at its end. */
export const slowest = [
  'apps/e2e/src/console/stories.spec.ts',
  'apps/e2e/src/launcher.spec.ts',
  'libs/bus/src/open-bus.spec.ts',
  'apps/e2e/src/surface/access.spec.ts',
  'apps/e2e/src/clusters/client-organizations.spec.ts',
  'apps/orgs-teams/src/organizations/late-calls.spec.ts',
  'libs/facts/src/facts.spec.ts',
  'libs/jobs/src/jobs.spec.ts',
  'apps/e2e/src/hanging-parts.spec.ts',
  'apps/e2e/src/attacks/schemathesis.spec.ts',
].map((file) => join(repositoryRoot, file));

/**
 * Keeps jest's own order: longest first if it knows the durations. On a new machine it knows none and takes the largest
 * files first, but files that wait for processes are small, and at the end one worker would wait for another. So the
 * slowest files come first there, and then the shares of proofs.
 */
export default class LongestFirst extends Sequencer {
  async sort(tests) {
    const order = await super.sort(tests);
    const rank = ({ path, duration }) => {
      if (duration !== undefined) return Infinity;
      if (slowest.includes(path)) return slowest.indexOf(path);
      return /\bshareOf\(/.test(readFileSync(path, 'utf8')) ? slowest.length : Infinity;
    };
    const ranked = new Map(order.map((test) => [test, rank(test)]));
    const first = order.filter((test) => ranked.get(test) < Infinity)
      .toSorted((one, other) => ranked.get(one) - ranked.get(other));
    return [...first, ...order.filter((test) => ranked.get(test) === Infinity)];
  }
}
