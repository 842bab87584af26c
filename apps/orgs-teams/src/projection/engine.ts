import { Fault } from '@platform/faults';
import type { DecisionServiceService, Tuple, TupleFilter } from '@platform/proto/authz/v1/decision';
import type { OutgoingContext, RpcClient } from '@platform/rpc';

/**
 * Client of the engine (OpenFGA). The service authz passes the calls on. `writeTuples` sends one atomic Write. It
 * throws Fault CONFLICT when the Write conflicts with the stored tuples or with another Write.
 */
export type Engine = Pick<RpcClient<typeof DecisionServiceService>, 'readTuples' | 'writeTuples'>;

export const mostInOneWrite = 100;
/** Maximum number of filters in one request to authz. */
const mostFilters = 40;

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

/** Whether a Write failed because it conflicts with the stored tuples or with another Write. */
export function isLostRace(error: unknown): boolean {
  return error instanceof Fault && error.reason === 'CONFLICT';
}

/** Whether an error probably has another cause than the tuples of a Write. */
export function isEngineTrouble(error: unknown): boolean {
  return !(error instanceof Fault) || ['UNAVAILABLE', 'DEADLINE_EXCEEDED', 'RATE_LIMITED'].includes(error.reason);
}
