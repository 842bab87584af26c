import type { Tuple } from '@platform/proto/authz/v1/decision';
import type { OutgoingContext } from '@platform/rpc';
import { type Engine, readTuples } from './engine.ts';
import {
  filtersOf, isFence, roleFilter, roleNamedBy, type Structure, tupleKey, tuplesOf, type Unit,
} from './relations.ts';

/** The tuples that must be written to the engine, and the tuples that must be deleted there. */
export interface Difference {
  readonly missing: readonly Tuple[];
  readonly surplus: readonly Tuple[];
}

/** Step S3 (authorization.md): reads the tuples that the engine has for some units ({@link Unit}). */
export function readHeld(
  engine: Engine, organizationId: number, units: readonly Unit[], call: OutgoingContext,
): Promise<Tuple[]> {
  const all = units.find(({ kind }) => kind === 'all');
  // The filter of `all` finds no assignments, because the object of an assignment is a role. `differenceOf` reads the
  // assignments of the roles that it knows. It may not know a deleted role, so read the pending assignments here.
  const parts = all === undefined ? units : [all, ...units.filter(({ kind }) => kind === 'assignment')];
  return readTuples(engine, parts.flatMap((unit) => filtersOf(organizationId, unit)), call);
}

/** Compares the tuples that the engine has for these units with the tuples that follow from the rows of the units. */
export async function differenceOf(
  engine: Engine, organizationId: number,
  { units, structure, held }: { units: readonly Unit[]; structure: Structure; held: readonly Tuple[] },
  call: OutgoingContext,
): Promise<Difference> {
  const all = units.some(({ kind }) => kind === 'all');
  // For the unit `all`, `held` lacks most assignments (see `readHeld`). So read the assignments of each role that is in
  // `held` or in the rows.
  const roleIds = all ? new Set([...held.flatMap((tuple) => roleNamedBy(tuple) ?? []), ...structure.roleIds]) : [];
  const ofRoles = await readTuples(engine, [...roleIds].map(roleFilter), call);
  const wanted = new Map(tuplesOf(organizationId, structure).map((tuple) => [tupleKey(tuple), tuple]));
  const tuples = [...held, ...ofRoles].filter((tuple) => !isFence(tuple));
  const present = new Map(tuples.map((tuple) => [tupleKey(tuple), tuple]));
  return {
    missing: [...wanted].filter(([key]) => !present.has(key)).map(([, tuple]) => tuple),
    surplus: [...present].filter(([key]) => !wanted.has(key)).map(([, tuple]) => tuple),
  };
}
