import type { Role } from '@platform/proto/orgs/v1/role';
import { comparePairs } from '@platform/relations';
import type { RoleRow } from './reports.ts';

/** A role as the API shows it (spec §2.1): pairs in the order of the catalogue, teams ascending (open-points 2.7). */
export function toRole(row: RoleRow): Role {
  const { id, name, organizationId, description, permissions, teamIds, createdAt, updatedAt } = row;
  // The ETag of a role depends on the order of these fields.
  return {
    id, name, ownerId: organizationId, description,
    permissions: permissions.toSorted(comparePairs).map(({ namespace, action }) => ({ namespace, action })),
    teamIds: [...teamIds], createdAt, updatedAt,
  };
}
