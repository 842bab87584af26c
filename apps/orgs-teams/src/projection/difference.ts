import type { Tuple } from '@platform/proto/authz/v1/decision';
import type { OutgoingContext } from '@platform/rpc';
import { type Engine, readTuples } from './engine.ts';
import { filtersOf, isFence, roleFilter, roleNamedBy, type Structure, tupleKey, tuplesOf } from './relations.ts';
import type { Unit } from './unit.ts';

/** What the engine lacks, and what it has too much. */
export interface Difference {
  readonly missing: readonly Tuple[];
  readonly surplus: readonly Tuple[];
}

/** Step S3: reads what the units have in the engine and compares it with what their rows ask for. */
export async function readDifference(
  engine: Engine,
  organizationId: number,
  units: readonly Unit[],
  structure: Structure,
  call: OutgoingContext,
): Promise<Difference> {
  const held = await readHeld(engine, organizationId, units, structure, call);
  const wanted = new Map(tuplesOf(organizationId, structure).map((tuple) => [tupleKey(tuple), tuple]));
  const present = new Map(held.filter((tuple) => !isFence(tuple)).map((tuple) => [tupleKey(tuple), tuple]));
  return {
    missing: [...wanted].filter(([key]) => !present.has(key)).map(([, tuple]) => tuple),
    surplus: [...present].filter(([key]) => !wanted.has(key)).map(([, tuple]) => tuple),
  };
}

async function readHeld(
  engine: Engine,
  organizationId: number,
  units: readonly Unit[],
  structure: Structure,
  call: OutgoingContext,
): Promise<Tuple[]> {
  const all = units.find(({ kind }) => kind === 'all');
  // Whatever waits besides, `all` covers; but the assignments of a role that is gone are found through their own unit.
  const parts = all === undefined ? units : [all, ...units.filter(({ kind }) => kind === 'assignment')];
  const held = await readTuples(engine, parts.flatMap((unit) => filtersOf(organizationId, unit)), call);
  if (all === undefined) return held;
  const roleIds = new Set([...held.flatMap((tuple) => roleNamedBy(tuple) ?? []), ...structure.roleIds]);
  return [...held, ...(await readTuples(engine, [...roleIds].map(roleFilter), call))];
}
