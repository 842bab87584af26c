import type { Role, RolePrincipal } from '@platform/proto/orgs/v1/role';
import { comparePairs } from '@platform/relations';
import type { RolePrincipalRow, RoleRow } from './reports.ts';

/** A role as the API shows it (spec §2.1): pairs in the order of the catalogue, teams ascending (open-points 2.7). */
export function toRole(row: RoleRow): Role {
  return {
    id: row.id,
    name: row.name,
    ownerId: row.organizationId,
    description: row.description,
    permissions: row.permissions.toSorted(comparePairs).map(({ namespace, action }) => ({ namespace, action })),
    teamIds: [...row.teamIds],
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

/** Only teams can have roles, so the principals of a role are teams (open-points 2.7). */
export function toRolePrincipal({ id, ...team }: RolePrincipalRow): RolePrincipal {
  return { principalType: 'team', principalId: id, ...team };
}
