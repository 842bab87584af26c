import type { Database } from '@platform/postgres';
import { OwnerServiceService } from '@platform/proto/owners/v1/owners';
import { implement, type Implementation } from '@platform/rpc';
import { notOurType } from '../faults.ts';
import type { OwnedTable } from '../owned-table.ts';
import { idsFromMessage } from '../read-ids.ts';
import { findOwners } from '../store/rows.ts';
import { closeOwner, reopenOwner } from './close-owner.ts';

export function ownerService<TextName extends string>(database: Database, table: OwnedTable<TextName>): Implementation {
  return implement(OwnerServiceService, {
    resolveOwners: async ({ type, ids }, { deadline }) => {
      if (type !== table.type) throw notOurType(table, type);
      const owners = await findOwners(database, table, idsFromMessage('ids', ids), { deadline });
      return { owners: [...owners].map(([id, { ownerId }]) => ({ id, ownerId, teamId: 0, isOwnersTeam: false })) };
    },
    closeOwner: closeOwner(database, table),
    reopenOwner: reopenOwner(database),
  });
}
