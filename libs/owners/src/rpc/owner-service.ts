import type { Database } from '@platform/postgres';
import { OwnerServiceService } from '@platform/proto/owners/v1/owners';
import { implement, type Implementation } from '@platform/rpc';
import type { OwnedTable } from '../owned-table.ts';
import { closeOwner } from './close-owner.ts';
import { reopenOwner } from './reopen-owner.ts';
import { resolveOwners } from './resolve-owners.ts';

/** `platform.owners.v1.OwnerService` for the objects in one table. */
export function ownerService<TextName extends string>(
  database: Database,
  table: OwnedTable<TextName>,
): Implementation {
  return implement(OwnerServiceService, {
    resolveOwners: resolveOwners(database, table),
    closeOwner: closeOwner(database, table),
    reopenOwner: reopenOwner(database),
  });
}
