import type { OwnedRow, OwnedTable } from '@platform/owners';
import { sql } from '@platform/postgres';
import type { OwnedContract } from '@platform/proto/contracts/v1/owners';

/** The table `contract`. Names are not unique (open-points 5.1): a repeated put finds its contract by a key. */
export const contractTable: OwnedTable<'name'> = {
  type: 'contract',
  plural: 'contracts',
  key: { field: 'idempotencyKey', column: 'idempotency_key', title: 'idempotency key' },
  // Active and not started contracts (open-points 5.7).
  holding: sql`(revoked_at is null and ends_at > now())`,
  texts: { name: { column: 'name', least: 1, most: 100 } },
};

export function contractToMessage({ id, name, ownerId, createdAt }: OwnedRow<'name'>): OwnedContract {
  return { id, name, ownerId, createdAt: Math.floor(createdAt.getTime() / 1000) };
}
