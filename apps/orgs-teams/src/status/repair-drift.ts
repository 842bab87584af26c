import { BusRefused } from '@platform/bus';
import type { AdminServiceService } from '@platform/proto/orgs/v1/admin';
import type { Handler } from '@platform/rpc';
import type { Deadline } from '@platform/service';
import { BusAway } from '../bus/tell.ts';
import type { Parts } from '../parts.ts';
import { repairDrift as repair } from '../projection/repair.ts';

/** `platform doctor --repair`. */
export function repairDrift(parts: Parts): Handler<typeof AdminServiceService.repairDrift> {
  return async (_request, context) => {
    context.log.warn({}, 'the store of the authorization engine is being repaired');
    const store = await repair(parts, context);
    const repaired = { ...store, ...(await forgetUnknownBusAccounts(parts, context.deadline)) };
    context.log.warn({ repaired }, 'the store of the authorization engine has been repaired');
    return repaired;
  };
}

/**
 * Queues the deletion of accounts that the bus has but the database does not. If the bus fails, `busTrouble` contains
 * the error message.
 */
async function forgetUnknownBusAccounts({ bus }: Parts, deadline: Deadline) {
  try {
    return { busAccountsUnknown: await bus.forgetUnknown(deadline), busTrouble: '' };
  } catch (error) {
    if (!(error instanceof BusAway || error instanceof BusRefused)) throw error;
    return { busAccountsUnknown: 0, busTrouble: error.message };
  }
}
