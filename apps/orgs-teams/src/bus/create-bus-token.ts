import { relationsOfSystemAdmin } from '@platform/relations';
import type { TokenServiceService } from '@platform/proto/orgs/v1/token';
import { type Handler, refuseNarrowToken } from '@platform/rpc';
import { Violations } from '@platform/values';
import type { Parts } from '../parts.ts';
import { refuseEscalation, relationsOfCaller } from '../roles/escalation.ts';
import { addBusUser, refuseBadBusUser } from './add-bus-user.ts';

/** POST /orgs/{orgname}/tokens/bus-tokens/ (open-points 18.1): adds a bus user of the organization's system admin. */
export function createBusToken(parts: Parts): Handler<typeof TokenServiceService.createBusToken> {
  return async ({ clusterUid = '', productName = '' }, context) => {
    const wanted = { clusterUid, productName };
    refuseBadBusUser(new Violations(), wanted, 'clusterUID');
    // A token without the scope `all` must not create credentials that need no scope and never expire.
    refuseNarrowToken(context.caller);
    refuseEscalation(await relationsOfCaller(parts.guard, context), relationsOfSystemAdmin);
    return addBusUser(parts, context, context.account, wanted);
  };
}
