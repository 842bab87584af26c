import type { RepairDriftRequest, RepairDriftResponse } from '@platform/proto/orgs/v1/admin';
import type { Handler } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { repairDrift as repair } from '../projection/repair.ts';

/** `platform doctor --repair`. */
export function repairDrift(parts: Parts): Handler<RepairDriftRequest, RepairDriftResponse> {
  return async (_request, context) => {
    context.log.warn({}, 'the store of the engine is being repaired');
    const repaired = await repair(parts, context);
    context.log.warn({ repaired }, 'the store of the engine has been repaired');
    return repaired;
  };
}
