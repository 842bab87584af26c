import { AdminServiceService } from '@platform/proto/orgs/v1/admin';
import { IdentityServiceService } from '@platform/proto/orgs/v1/identity';
import { OrganizationServiceService } from '@platform/proto/orgs/v1/organization';
import { RoleServiceService } from '@platform/proto/orgs/v1/role';
import { TeamServiceService } from '@platform/proto/orgs/v1/team';
import { VersionServiceService } from '@platform/proto/version/v1/version';
import { implement, type Implementation } from '@platform/rpc';
import type { Parts } from './parts.ts';
import { checkDrift } from './rpc/check-drift.ts';
import { checkOwner } from './rpc/check-owner.ts';
import { createOrganization } from './rpc/create-organization.ts';
import { createRole } from './rpc/create-role.ts';
import { createTeam } from './rpc/create-team.ts';
import { createToken } from './rpc/create-token.ts';
import { createUser } from './rpc/create-user.ts';
import { deleteRole } from './rpc/delete-role.ts';
import { deleteTeam } from './rpc/delete-team.ts';
import { deleteUser } from './rpc/delete-user.ts';
import { getOrganization } from './rpc/get-organization.ts';
import { getRole } from './rpc/get-role.ts';
import { getStanding } from './rpc/get-standing.ts';
import { getStatus } from './rpc/get-status.ts';
import { getTeam } from './rpc/get-team.ts';
import { getVersion } from './rpc/get-version.ts';
import { listAudit } from './rpc/list-audit.ts';
import { listRolePrincipals } from './rpc/list-role-principals.ts';
import { listRoles } from './rpc/list-roles.ts';
import { listTeams } from './rpc/list-teams.ts';
import { repairDrift } from './rpc/repair-drift.ts';
import { reportLostStore } from './rpc/report-lost-store.ts';
import { resolveOwners } from './rpc/resolve-owners.ts';
import { revokeToken } from './rpc/revoke-token.ts';
import { settle } from './rpc/settle.ts';
import { updateRole } from './rpc/update-role.ts';
import { updateTeam } from './rpc/update-team.ts';
import { updateUser } from './rpc/update-user.ts';

/** Every method this service answers. */
export function services(parts: Parts): readonly Implementation[] {
  return [
    implement(OrganizationServiceService, {
      createOrganization: createOrganization(parts),
      getOrganization: getOrganization(parts),
      checkOwner: checkOwner(),
    }),
    implement(RoleServiceService, {
      listRoles: listRoles(parts),
      createRole: createRole(parts),
      getRole: getRole(parts),
      updateRole: updateRole(parts),
      deleteRole: deleteRole(parts),
      listRolePrincipals: listRolePrincipals(parts),
    }),
    implement(TeamServiceService, {
      listTeams: listTeams(parts),
      createTeam: createTeam(parts),
      getTeam: getTeam(parts),
      updateTeam: updateTeam(parts),
      deleteTeam: deleteTeam(parts),
    }),
    implement(VersionServiceService, { getVersion: getVersion() }),
    implement(IdentityServiceService, {
      getStanding: getStanding(parts),
      settle: settle(parts),
      resolveOwners: resolveOwners(parts),
      reportLostStore: reportLostStore(parts),
    }),
    implement(AdminServiceService, {
      createUser: createUser(parts),
      updateUser: updateUser(parts),
      deleteUser: deleteUser(parts),
      createToken: createToken(parts),
      revokeToken: revokeToken(parts),
      listAudit: listAudit(parts),
      checkDrift: checkDrift(parts),
      repairDrift: repairDrift(parts),
      getStatus: getStatus(parts),
    }),
  ];
}
