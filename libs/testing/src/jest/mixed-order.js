import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import * as sequencer from '@jest/test-sequencer';

import { repositoryRoot } from '../repository.ts';

const Sequencer = sequencer.default.default ?? sequencer.default;

/** The two files that take longest. They begin first, so that no worker is left alone with them at the end. */
export const longest = ['apps/e2e/src/console/stories.spec.ts', 'apps/e2e/src/launcher.spec.ts'];
/** The other files that wait most of their time. `npm test` lists the slowest files at its end. */
export const waiting = [
  'apps/e2e/src/attacks/schemathesis.spec.ts',
  'libs/facts/src/facts.spec.ts',
  'apps/e2e/src/attacks/grpc.spec.ts',
  'apps/e2e/src/processes.spec.ts',
  'libs/bus/src/open-bus.spec.ts',
  'libs/jobs/src/jobs.spec.ts',
  'apps/contracts-licensing/src/owners.spec.ts',
  'apps/orgs-teams/src/bus/bus-accounts.spec.ts',
  'apps/orgs-teams/src/organizations/late-calls.spec.ts',
  'apps/billing-dashboard/src/ingest/events.spec.ts',
  'apps/e2e/src/dashboard/resources.spec.ts',
  'apps/orgs-teams/src/projection/projection.spec.ts',
  'scripts/release/release.spec.ts',
];

/** Beginnings of the paths of specs that use the Kubernetes lab, from `metadata.lab` in each project.json. */
const labs = globSync(['apps/*/project.json', 'libs/*/project.json'], { cwd: repositoryRoot })
  .flatMap((file) => JSON.parse(readFileSync(join(repositoryRoot, file), 'utf8')).metadata?.lab ?? []);

/**
 * Mixes files that wait most of their time with files that compute, so that the workers keep all cores busy from the
 * beginning to the end. Files with the Kubernetes lab come early, because the lab is stopped after the last of them.
 * The other files come in jest's order: longest first, or largest first on a new machine.
 */
export default class MixedOrder extends Sequencer {
  async sort(tests) {
    const groups = Object.groupBy(await super.sort(tests), ({ path }) => groupOf(path));
    const listed = (group) => (groups[group] ?? [])
      .toSorted((one, other) => placeIn(one.path) - placeIn(other.path));
    return [
      ...listed('longest'),
      ...woven([...(groups.lab ?? []), ...listed('waiting'), ...(groups.share ?? [])], groups.other ?? []),
    ];
  }
}

function groupOf(path) {
  if (longest.some((file) => path.endsWith(file))) return 'longest';
  if (labs.some((start) => path.includes(`/${start}`))) return 'lab';
  if (waiting.some((file) => path.endsWith(file))) return 'waiting';
  return /\bshareOf\(/.test(readFileSync(path, 'utf8')) ? 'share' : 'other';
}

function placeIn(path) {
  return [...longest, ...waiting].findIndex((file) => path.endsWith(file));
}

/** Spreads the files of `some` evenly among the first nine tenths of `others`. */
function woven(some, others) {
  const step = Math.max(1, Math.floor(0.9 * others.length / Math.max(1, some.length)));
  const mixed = some.flatMap((one, place) => [one, ...others.slice(place * step, (place + 1) * step)]);
  return [...mixed, ...others.slice(some.length * step)];
}
