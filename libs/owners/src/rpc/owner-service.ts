import type { Database } from '@platform/postgres';
import {
  OwnerServiceService, type ResolveOwnersRequest, type ResolveOwnersResponse,
} from '@platform/proto/owners/v1/owners';
import { type CallContext, implement, type Implementation } from '@platform/rpc';
import { notOurType } from '../faults.ts';
import type { OwnedTable } from '../owned-table.ts';
import { idsFromMessage } from '../read-ids.ts';
import { findOwners } from '../store/rows.ts';
import { closeOwner, reopenOwner } from './close-owner.ts';

/** Implements `controlplane.owners.v1.OwnerService` for the objects in one table. */
export function ownerService<TextName extends string>(database: Database, table: OwnedTable<TextName>): Implementation {
  return implement(OwnerServiceService, {
    resolveOwners: resolveOwners(database, table),
    closeOwner: closeOwner(database, table),
    reopenOwner: reopenOwner(database),
  });
}

function resolveOwners<TextName extends string>(database: Database, table: OwnedTable<TextName>) {
  return async ({ type, ids }: ResolveOwnersRequest, { deadline }: CallContext): Promise<ResolveOwnersResponse> => {
    if (type !== table.type) throw notOurType(table, type);
    const owners = await findOwners(database, table, idsFromMessage('ids', ids), { deadline });
    return { owners: [...owners].map(([id, { ownerId }]) => ({ id, ownerId, teamId: 0, isOwnersTeam: false })) };
  };
}
