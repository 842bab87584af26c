import { AdminServiceService } from '@platform/proto/orgs/v1/admin';
import { AvatarServiceService } from '@platform/proto/orgs/v1/avatar';
import { BulkServiceService } from '@platform/proto/orgs/v1/bulk';
import { ClaimServiceService } from '@platform/proto/orgs/v1/claim';
import { IdentityServiceService } from '@platform/proto/orgs/v1/identity';
import { MemberServiceService } from '@platform/proto/orgs/v1/member';
import { OrganizationServiceService } from '@platform/proto/orgs/v1/organization';
import { RoleServiceService } from '@platform/proto/orgs/v1/role';
import { SettingsServiceService } from '@platform/proto/orgs/v1/settings';
import { TeamServiceService } from '@platform/proto/orgs/v1/team';
import { TeamMemberServiceService } from '@platform/proto/orgs/v1/team_member';
import { TokenServiceService } from '@platform/proto/orgs/v1/token';
import { VersionServiceService } from '@platform/proto/version/v1/version';
import { implement, type Implementation } from '@platform/rpc';
import type { Parts } from './parts.ts';
import { addAllowedDomain } from './rpc/add-allowed-domain.ts';
import { addTeamMember } from './rpc/add-team-member.ts';
import { changeMember } from './rpc/change-member.ts';
import { changeMembership } from './rpc/change-membership.ts';
import { checkDrift } from './rpc/check-drift.ts';
import { checkMember } from './rpc/check-member.ts';
import { checkOwner } from './rpc/check-owner.ts';
import { checkPublicMember } from './rpc/check-public-member.ts';
import { claimOrganization } from './rpc/claim-organization.ts';
import { createBusAccount } from './rpc/create-bus-account.ts';
import { createOrganization } from './rpc/create-organization.ts';
import { createRole } from './rpc/create-role.ts';
import { createSyncToken } from './rpc/create-sync-token.ts';
import { createTeam } from './rpc/create-team.ts';
import { createToken } from './rpc/create-token.ts';
import { createUser } from './rpc/create-user.ts';
import { deleteAccessToken } from './rpc/delete-access-token.ts';
import { deleteAvatar } from './rpc/delete-avatar.ts';
import { deleteOrganization } from './rpc/delete-organization.ts';
import { deleteRole } from './rpc/delete-role.ts';
import { deleteSyncToken } from './rpc/delete-sync-token.ts';
import { deleteTeam } from './rpc/delete-team.ts';
import { deleteUser } from './rpc/delete-user.ts';
import { explain } from './rpc/explain.ts';
import { getAvatar } from './rpc/get-avatar.ts';
import { getBranding } from './rpc/get-branding.ts';
import { getOldestClaim } from './rpc/get-oldest-claim.ts';
import { getOrganization } from './rpc/get-organization.ts';
import { getPicture } from './rpc/get-picture.ts';
import { getProfile } from './rpc/get-profile.ts';
import { getRegistration } from './rpc/get-registration.ts';
import { getRole } from './rpc/get-role.ts';
import { getStanding } from './rpc/get-standing.ts';
import { getStatus } from './rpc/get-status.ts';
import { getSyncToken } from './rpc/get-sync-token.ts';
import { getTeam } from './rpc/get-team.ts';
import { getTeamMember } from './rpc/get-team-member.ts';
import { getVersion } from './rpc/get-version.ts';
import { hideMembership } from './rpc/hide-membership.ts';
import { listAccessTokens } from './rpc/list-access-tokens.ts';
import { listAllowedDomains } from './rpc/list-allowed-domains.ts';
import { listAudit } from './rpc/list-audit.ts';
import { listBusTokens } from './rpc/list-bus-tokens.ts';
import { listMembers } from './rpc/list-members.ts';
import { listPublicMembers } from './rpc/list-public-members.ts';
import { listRolePrincipals } from './rpc/list-role-principals.ts';
import { listRoles } from './rpc/list-roles.ts';
import { listTeamMembers } from './rpc/list-team-members.ts';
import { listTeams } from './rpc/list-teams.ts';
import { putClaim } from './rpc/put-claim.ts';
import { putLicensee } from './rpc/put-licensee.ts';
import { putMemberships } from './rpc/put-memberships.ts';
import { putOrganizations } from './rpc/put-organizations.ts';
import { putTeams } from './rpc/put-teams.ts';
import { putUsers } from './rpc/put-users.ts';
import { removeAllowedDomain } from './rpc/remove-allowed-domain.ts';
import { removeMember } from './rpc/remove-member.ts';
import { removeTeamMember } from './rpc/remove-team-member.ts';
import { repairDrift } from './rpc/repair-drift.ts';
import { reportLostStore } from './rpc/report-lost-store.ts';
import { resolveOwners } from './rpc/resolve-owners.ts';
import { revokeBusToken } from './rpc/revoke-bus-token.ts';
import { revokeToken } from './rpc/revoke-token.ts';
import { rotateKeys } from './rpc/rotate-keys.ts';
import { settle } from './rpc/settle.ts';
import { showMembership } from './rpc/show-membership.ts';
import { updateAvatar } from './rpc/update-avatar.ts';
import { updateBranding } from './rpc/update-branding.ts';
import { updateOrganization } from './rpc/update-organization.ts';
import { updateRegistration } from './rpc/update-registration.ts';
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
      updateOrganization: updateOrganization(parts),
      deleteOrganization: deleteOrganization(parts),
    }),
    implement(MemberServiceService, {
      getProfile: getProfile(parts),
      listMembers: listMembers(parts),
      changeMember: changeMember(parts),
      checkMember: checkMember(parts),
      removeMember: removeMember(parts),
      listPublicMembers: listPublicMembers(parts),
      checkPublicMember: checkPublicMember(parts),
      showMembership: showMembership(parts),
      hideMembership: hideMembership(parts),
    }),
    implement(TeamMemberServiceService, {
      changeMembership: changeMembership(parts),
      listTeamMembers: listTeamMembers(parts),
      getTeamMember: getTeamMember(parts),
      addTeamMember: addTeamMember(parts),
      removeTeamMember: removeTeamMember(parts),
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
    implement(SettingsServiceService, {
      getBranding: getBranding(parts),
      updateBranding: updateBranding(parts),
      listAllowedDomains: listAllowedDomains(parts),
      addAllowedDomain: addAllowedDomain(parts),
      removeAllowedDomain: removeAllowedDomain(parts),
      getRegistration: getRegistration(parts),
      updateRegistration: updateRegistration(parts),
    }),
    implement(AvatarServiceService, {
      getAvatar: getAvatar(parts),
      updateAvatar: updateAvatar(parts),
      deleteAvatar: deleteAvatar(parts),
      getPicture: getPicture(parts),
    }),
    implement(ClaimServiceService, {
      claimOrganization: claimOrganization(parts),
      getOldestClaim: getOldestClaim(parts),
      putClaim: putClaim(parts),
    }),
    implement(TokenServiceService, {
      getSyncToken: getSyncToken(parts, 'organization'),
      createSyncToken: createSyncToken(parts, 'organization'),
      deleteSyncToken: deleteSyncToken(parts, 'organization'),
      getUserSyncToken: getSyncToken(parts, 'caller'),
      createUserSyncToken: createSyncToken(parts, 'caller'),
      deleteUserSyncToken: deleteSyncToken(parts, 'caller'),
      listAccessTokens: listAccessTokens(parts),
      deleteAccessToken: deleteAccessToken(parts),
      listBusTokens: listBusTokens(parts),
      revokeBusToken: revokeBusToken(parts),
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
      createBusAccount: createBusAccount(parts),
      putLicensee: putLicensee(parts),
      rotateKeys: rotateKeys(parts),
      listAudit: listAudit(parts),
      explain: explain(parts),
      checkDrift: checkDrift(parts),
      repairDrift: repairDrift(parts),
      getStatus: getStatus(parts),
    }),
    implement(BulkServiceService, {
      putUsers: putUsers(parts),
      putOrganizations: putOrganizations(parts),
      putTeams: putTeams(parts),
      putMemberships: putMemberships(parts),
    }),
  ];
}
