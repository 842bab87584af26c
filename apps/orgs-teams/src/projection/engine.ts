import { randomUUID } from 'node:crypto';
import { Fault } from '@platform/faults';
import type { Tuple, TupleFilter, WriteTuplesRequest } from '@platform/proto/authz/v1/decision';
import type { DecisionServiceService } from '@platform/proto/authz/v1/decision';
import type { OutgoingContext, RpcClient } from '@platform/rpc';
import { fenceTuple } from '@platform/relations';
import { fenceFilter } from './relations.ts';

/** The engine behind its door, authz. */
export type Engine = Pick<RpcClient<typeof DecisionServiceService>, 'readTuples' | 'writeTuples'>;

/** The engine takes so many tuples in one Write. */
export const mostInOneWrite = 100;
/** Reads of one request at authz. */
const mostFilters = 40;

/** Reads all tuples that the filters find, each once. */
export async function readTuples(
  engine: Engine,
  filters: readonly TupleFilter[],
  call: OutgoingContext,
): Promise<Tuple[]> {
  const tuples: Tuple[] = [];
  for (let from = 0; from < filters.length; from += mostFilters) {
    const part = filters.slice(from, from + mostFilters);
    const answer = await engine.readTuples({ filters: part, pageToken: '', pageSize: 0 }, call);
    tuples.push(...answer.tuples);
  }
  return tuples;
}

/**
 * Step S1: an organization's one fence. None: the organization may be lost, which `missing` sees to first, because a
 * fence says that what does not wait has been written; then a fresh one is written. More than one, made by two at
 * once: one strict Write puts a fresh one in their place. Both start again: the returned tuples were read as the only
 * ones.
 */
export async function readFence(
  engine: Engine,
  organizationId: number,
  missing: () => Promise<void>,
  call: OutgoingContext,
): Promise<Tuple> {
  for (;;) {
    const fences = await readTuples(engine, [fenceFilter(organizationId)], call);
    const [fence, ...others] = fences;
    if (fence !== undefined && others.length === 0) return fence;
    if (fence === undefined) await missing();
    const fresh = fenceTuple(organizationId, randomUUID());
    await writeStrictly(engine, { deletes: fences.slice(0, mostInOneWrite - 1), writes: [fresh] }, call);
  }
}

/**
 * One atomic Write.
 * @throws Fault CONFLICT when the store is not as it was read
 */
export async function writeStrictly(engine: Engine, change: WriteTuplesRequest, call: OutgoingContext): Promise<void> {
  await engine.writeTuples(change, call);
}

/** Somebody else changed the store in between, or it is not known whether a Write happened: start again from S1. */
export function isLostRace(error: unknown): boolean {
  return error instanceof Fault && error.reason === 'CONFLICT';
}

/** The engine or the way to it is in trouble: waiting helps, and no unit is to blame. */
export function isEngineTrouble(error: unknown): boolean {
  return !(error instanceof Fault) || ['UNAVAILABLE', 'DEADLINE_EXCEEDED', 'RATE_LIMITED'].includes(error.reason);
}
