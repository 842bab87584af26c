import type { CheckDriftResponse, TupleDifference, UncomparedOrganization } from '@platform/proto/orgs/v1/admin';
import { DifferenceKind } from '@platform/proto/orgs/v1/admin';
import { fenceTuple } from '@platform/relations';
import { type Database, sql } from '@platform/postgres';
import type { OutgoingContext } from '@platform/rpc';
import { unavailable } from '@platform/faults';
import type { Parts } from '../parts.ts';
import { differenceOf, readHeld } from './difference.ts';
import { readTuples } from './engine.ts';
import { findOrphans } from './orphans.ts';
import { fenceFilter, tupleKey } from './relations.ts';
import { findBehind } from './sequences.ts';
import { takeSnapshot } from './snapshot.ts';
import { organizationPages } from './store.ts';
import { noteHighest, type Sequence, storePages } from './store-pages.ts';

export type DriftParts = Pick<Parts, 'database' | 'engine' | 'projection'>;

const idsAtOnce = 500;
/** Maximum number of attempts to compare the tuples of an organization with its rows. */
const looks = 5;

/**
 * Compares the tuples of organizations with their rows. Repeats a comparison that finds differences while the
 * organization changes or has pending changes. After {@link looks} attempts, reports the organization as not compared.
 * @param organizationId 0 for all organizations: then the result also contains tuples whose object has no row, and
 *   sequences that would issue a used id
 * @throws Fault UNAVAILABLE when the one requested organization could not be compared
 */
export async function findDrift(
  parts: DriftParts, organizationId: number, limit: number, call: OutgoingContext,
): Promise<CheckDriftResponse> {
  const found = new Map<string, TupleDifference>();
  const note = (difference: TupleDifference) => found.set(tupleKey(difference.tuple!), difference);
  const answer = { organizationsChecked: 0, tuplesRead: 0, sequencesBehind: [] as Sequence[] };
  const notCompared: UncomparedOrganization[] = [];
  const pages = organizationId === 0 ? organizationPages(parts.database, idsAtOnce, call) : [[organizationId]];
  for await (const ids of pages) {
    for (const id of ids) {
      const differences = await differencesOf(parts, id, call);
      if (differences !== undefined) {
        differences.forEach(note);
        answer.organizationsChecked += 1;
      } else if (organizationId !== 0) {
        throw unavailable(`the comparison of organization ${id} (${whyNotAtRest(parts, id)})`);
      } else {
        notCompared.push({ organizationId: id, reason: whyNotAtRest(parts, id) });
      }
    }
  }
  if (organizationId === 0) {
    const highest = new Map<Sequence, number>();
    for await (const page of storePages(parts.engine, call)) {
      answer.tuplesRead += page.length;
      page.forEach((tuple) => noteHighest(highest, tuple));
      for (const tuple of await findOrphans(parts.database, page, call.deadline)) {
        note({ organizationId: 0, kind: DifferenceKind.DIFFERENCE_KIND_SURPLUS, tuple });
      }
    }
    answer.sequencesBehind = await findBehind(parts.database, highest);
  }
  return { ...answer, notCompared, differences: [...found.values()].slice(0, limit), differenceCount: found.size };
}

/**
 * Compares the tuples of an organization with its rows, and returns the differences. Returns undefined if each attempt
 * found differences while the organization changed or had pending changes.
 */
async function differencesOf(
  parts: DriftParts, organizationId: number, call: OutgoingContext,
): Promise<TupleDifference[] | undefined> {
  const { database, engine, projection } = parts;
  const units = [{ kind: 'all' }] as const;
  const fences = (tuples: readonly { user: string }[]) => tuples.map(({ user }) => user).sort().join(' ');
  for (let look = 1; look <= looks; look += 1) {
    await projection.settle(organizationId, call.deadline);
    const before = await readTuples(engine, [fenceFilter(organizationId)], call);
    const { structure } = await takeSnapshot(database, { organizationId, units }, call.deadline);
    const held = await readHeld(engine, organizationId, units, call);
    const { missing, surplus } = await differenceOf(engine, organizationId, { units, structure, held }, call);
    // Report a missing fence, but not a second fence. Two replicas can write a fence at the same time, and `readFence`
    // later replaces both fences.
    const lacksFence = structure.exists && before.length === 0;
    if (missing.length + surplus.length === 0 && !lacksFence) return [];
    const after = await readTuples(engine, [fenceFilter(organizationId)], call);
    if ((await isPending(database, organizationId, call)) || fences(before) !== fences(after)) continue;
    const lacking = lacksFence ? [fenceTuple(organizationId, 'any'), ...missing] : missing;
    return [
      ...lacking.map((tuple) => ({ organizationId, kind: DifferenceKind.DIFFERENCE_KIND_MISSING, tuple })),
      ...surplus.map((tuple) => ({ organizationId, kind: DifferenceKind.DIFFERENCE_KIND_SURPLUS, tuple })),
    ];
  }
  return undefined;
}

function whyNotAtRest({ projection }: DriftParts, organizationId: number): string {
  const causes = projection.failing()
    .filter((failing) => failing.organizationId === organizationId)
    .map(({ unit, cause }) => `tuples of ${unit} cannot be written to OpenFGA: ${cause}`);
  return causes.join('; ') || 'the organization keeps changing';
}

async function isPending(database: Database, organizationId: number, { deadline }: OutgoingContext): Promise<boolean> {
  const { pending } = await database.one(sql<{ pending: boolean }>`
    select exists (select from projection_pending where organization_id = ${organizationId}) as "pending"`,
  { deadline });
  return pending;
}
