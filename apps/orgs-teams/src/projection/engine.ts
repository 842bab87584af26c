import { randomUUID } from 'node:crypto';
import { Fault } from '@platform/faults';
import type { Tuple, TupleFilter, WriteTuplesRequest } from '@platform/proto/authz/v1/decision';
import type { DecisionServiceService } from '@platform/proto/authz/v1/decision';
import type { OutgoingContext, RpcClient } from '@platform/rpc';
import { fenceTuple } from '@platform/relations';
import { fenceFilter } from './relations.ts';

/** Client of the engine through authz, its door. */
export type Engine = Pick<RpcClient<typeof DecisionServiceService>, 'readTuples' | 'writeTuples'>;

/** Most tuples in one Write of the engine. */
export const mostInOneWrite = 100;
/** Most reads in one request to authz. */
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
 * Step S1: reads an organization's one fence. Without a fence, the organization may be lost, so `missing` checks that
 * first: a fence means that everything not pending has been written. Then a fresh fence is written. If two processes
 * made a fence at once, one strict Write replaces both by a fresh one, and both processes start again. The returned
 * tuples were read as the only ones.
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
 * Sends one atomic Write.
 * @throws Fault CONFLICT when the store is not as it was read
 */
export async function writeStrictly(engine: Engine, change: WriteTuplesRequest, call: OutgoingContext): Promise<void> {
  await engine.writeTuples(change, call);
}

/** Whether to start again from S1: another process changed the store, or it is unknown whether a Write happened. */
export function isLostRace(error: unknown): boolean {
  return error instanceof Fault && error.reason === 'CONFLICT';
}

/** Whether the engine or the connection to it is in trouble. Then waiting helps, and no unit is to blame. */
export function isEngineTrouble(error: unknown): boolean {
  return !(error instanceof Fault) || ['UNAVAILABLE', 'DEADLINE_EXCEEDED', 'RATE_LIMITED'].includes(error.reason);
}
