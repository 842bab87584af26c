import { randomUUID } from 'node:crypto';
import { Fault } from '@platform/faults';
import type { DecisionServiceService, Tuple, TupleFilter, WriteTuplesRequest } from '@platform/proto/authz/v1/decision';
import type { OutgoingContext, RpcClient } from '@platform/rpc';
import { fenceTuple } from '@platform/relations';
import { fenceFilter } from './relations.ts';

/** Client of the engine (OpenFGA). All calls go through the service authz. */
export type Engine = Pick<RpcClient<typeof DecisionServiceService>, 'readTuples' | 'writeTuples'>;

/** Maximum number of tuples in one Write of the engine. */
export const mostInOneWrite = 100;
/** Maximum number of filters in one request to authz. */
const mostFilters = 40;

/** Reads the tuples that match any of the filters. */
export async function readTuples(
  engine: Engine, filters: readonly TupleFilter[], call: OutgoingContext,
): Promise<Tuple[]> {
  const tuples: Tuple[] = [];
  for (let from = 0; from < filters.length; from += mostFilters) {
    const part = filters.slice(from, from + mostFilters);
    tuples.push(...(await engine.readTuples({ filters: part, pageToken: '', pageSize: 0 }, call)).tuples);
  }
  return tuples;
}

/**
 * Step S1: reads the fence of an organization: the tuple that every Write replaces, so that a Write that is based on
 * old rows fails. Without a fence, the engine may have lost the organization: `missing` checks this, and a new fence is
 * written. If processes have written several fences at the same time, one strict Write replaces all of them by a new
 * fence. Returns a fence only after a read has found exactly one.
 */
export async function readFence(
  engine: Engine, organizationId: number, missing: () => Promise<void>, call: OutgoingContext,
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

/** Sends one atomic Write. @throws Fault CONFLICT when the store has changed since it was read */
export async function writeStrictly(engine: Engine, change: WriteTuplesRequest, call: OutgoingContext): Promise<void> {
  await engine.writeTuples(change, call);
}

/** Whether to start again from S1: another process changed the tuples, or it is unknown whether a Write succeeded. */
export function isLostRace(error: unknown): boolean {
  return error instanceof Fault && error.reason === 'CONFLICT';
}

/** Whether the engine or the connection to it failed, so that a later attempt with the same tuples may succeed. */
export function isEngineTrouble(error: unknown): boolean {
  return !(error instanceof Fault) || ['UNAVAILABLE', 'DEADLINE_EXCEEDED', 'RATE_LIMITED'].includes(error.reason);
}
