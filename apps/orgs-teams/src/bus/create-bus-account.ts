import { eventSubject } from '@platform/bus';
import type { AdminServiceService } from '@platform/proto/orgs/v1/admin';
import type { Handler } from '@platform/rpc';
import { Violations } from '@platform/values';
import { readOrganizationId } from '../accounts/targets.ts';
import type { Parts } from '../parts.ts';
import { addBusUser, refuseBadBusUser } from './add-bus-user.ts';

/** `platform admin bus-account create`. */
export function createBusAccount(parts: Parts): Handler<typeof AdminServiceService.createBusAccount> {
  const { config, database } = parts;
  return async (request, context) => {
    const { organization = '', clusterUid = '', productName = '', once = false, replace = false } = request;
    const wanted = { clusterUid, productName, once, replace };
    const violations = new Violations();
    if (once && replace) violations.note('replace', 'must be false if once is true');
    refuseBadBusUser(violations, wanted, 'clusterUid');
    const ownerId = await readOrganizationId(database, organization, context.deadline);
    const added = await addBusUser(parts, context, { id: ownerId, name: organization }, wanted);
    const member = { ownerId, clusterUid: clusterUid.toLowerCase(), productName };
    return { ...added, subject: eventSubject(member, config.busShards), server: (config.natsUrl ?? []).join(',') };
  };
}
