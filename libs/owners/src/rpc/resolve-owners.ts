import type { Database } from '@platform/postgres';
import type { ResolveOwnersRequest, ResolveOwnersResponse } from '@platform/proto/owners/v1/owners';
import type { CallContext } from '@platform/rpc';
import { notOurType } from '../faults.ts';
import type { OwnedTable } from '../owned-table.ts';
import { idsFromMessage } from '../read-ids.ts';
import { findOwners } from '../store/rows.ts';

export function resolveOwners<TextName extends string>(
  database: Database,
  table: OwnedTable<TextName>,
) {
  return async ({ type, ids }: ResolveOwnersRequest, { deadline }: CallContext): Promise<ResolveOwnersResponse> => {
    if (type !== table.type) throw notOurType(table, type);
    const owners = await findOwners(database, table, idsFromMessage('ids', ids), { deadline });
    return { owners: [...owners].map(([id, { ownerId }]) => ({ id, ownerId, teamId: 0, isOwnersTeam: false })) };
  };
}
