import type { Database } from '@platform/postgres';
import type { ResolveOwnersRequest, ResolveOwnersResponse } from '@platform/proto/owners/v1/owners';
import type { Handler } from '@platform/rpc';
import { idsFromMessage, ownersToMessages } from '../convert.ts';
import { notOurType } from '../faults.ts';
import { findOwners } from '../store/contracts.ts';

export function resolveOwners(database: Database): Handler<ResolveOwnersRequest, ResolveOwnersResponse> {
  return async ({ type, ids }, { deadline }) => {
    if (type !== 'contract') throw notOurType(type);
    const owners = await findOwners(database, idsFromMessage('ids', ids), { deadline });
    return { owners: ownersToMessages(owners) };
  };
}
