import type { Database } from '@platform/postgres';
import type { OwnedTable } from '../owned-table.ts';
import { closeOwner } from './close-owner.ts';
import { reopenOwner } from './reopen-owner.ts';
import { resolveOwners } from './resolve-owners.ts';

/** What every service that owns objects answers (proto/platform/owners). */
export function ownerMethods<TextName extends string>(database: Database, table: OwnedTable<TextName>) {
  return {
    resolveOwners: resolveOwners(database, table),
    closeOwner: closeOwner(database, table),
    reopenOwner: reopenOwner(database),
  };
}
