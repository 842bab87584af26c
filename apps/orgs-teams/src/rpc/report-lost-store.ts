import type { ReportLostStoreRequest, ReportLostStoreResponse } from '@platform/proto/orgs/v1/identity';
import type { Handler, OutgoingContext } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { readTuples } from '../projection/engine.ts';
import { fenceFilter } from '../projection/relations.ts';
import { rewriteAll } from '../store/projection.ts';

export type LostStoreReporter =
  (request: ReportLostStoreRequest, call: OutgoingContext) => Promise<ReportLostStoreResponse>;

/**
 * The engine answered without the organization's fence (authorization.md R5). Of many who saw it at once the first has
 * everything written again; the fence is looked for once more, because a late report may be overtaken by that.
 */
export function lostStoreReporter(
  { database, engine, log }: Pick<Parts, 'database' | 'engine' | 'log'>,
): LostStoreReporter {
  return async ({ organizationId }, call) => {
    if ((await readTuples(engine, [fenceFilter(organizationId)], call)).length > 0) return {};
    const added = await database.transact(
      (transaction) => rewriteAll(transaction, [organizationId]),
      { deadline: call.deadline },
    );
    if (added > 0) log.error({ organizationId }, 'the engine has lost an organization, which is written again');
    return {};
  };
}

export function reportLostStore(parts: Parts): Handler<ReportLostStoreRequest, ReportLostStoreResponse> {
  return lostStoreReporter(parts);
}
