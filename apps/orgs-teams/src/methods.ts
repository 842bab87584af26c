import { AdminServiceService } from '@platform/proto/orgs/v1/admin';
import { AuditServiceService } from '@platform/proto/orgs/v1/audit';
import { AvatarServiceService } from '@platform/proto/orgs/v1/avatar';
import { BulkServiceService } from '@platform/proto/orgs/v1/bulk';
import { ClaimServiceService } from '@platform/proto/orgs/v1/claim';
import {
  ClientOrganizationAccountServiceService, ClientOrganizationAdminServiceService,
} from '@platform/proto/orgs/v1/client_organization';
import { ExplanationServiceService } from '@platform/proto/orgs/v1/explanation';
import { IdentityServiceService } from '@platform/proto/orgs/v1/identity';
import { InvitationServiceService } from '@platform/proto/orgs/v1/invitation';
import { MemberServiceService } from '@platform/proto/orgs/v1/member';
import { OidcServiceService } from '@platform/proto/orgs/v1/oidc';
import { OrganizationServiceService } from '@platform/proto/orgs/v1/organization';
import { RoleServiceService } from '@platform/proto/orgs/v1/role';
import { SiteAdminServiceService } from '@platform/proto/orgs/v1/site_admin';
import { SettingsServiceService } from '@platform/proto/orgs/v1/settings';
import { SessionServiceService } from '@platform/proto/orgs/v1/session';
import { SignInServiceService } from '@platform/proto/orgs/v1/sign_in';
import { TeamInvitationServiceService } from '@platform/proto/orgs/v1/team_invitation';
import { TeamServiceService } from '@platform/proto/orgs/v1/team';
import { TeamMemberServiceService } from '@platform/proto/orgs/v1/team_member';
import { TokenServiceService } from '@platform/proto/orgs/v1/token';
import { UserServiceService } from '@platform/proto/orgs/v1/user';
import { UserTokenServiceService } from '@platform/proto/orgs/v1/user_token';
import { VersionServiceService } from '@platform/proto/version/v1/version';
import { implement, type Implementation } from '@platform/rpc';
import { listOrganizationAudit, listSiteAudit } from './audit/audit-records.ts';
import { listAudit } from './audit/list-audit.ts';
import { createBusAccount } from './bus/create-bus-account.ts';
import { listBusAccounts } from './bus/list-bus-accounts.ts';
import {
  createClientOrganization, settleClientOrganization,
} from './client-organizations/create-client-organization.ts';
import {
  closeClientOrganization, deleteClientOrganization,
} from './client-organizations/delete-client-organization.ts';
import { getClientOrganization, listClientOrganizations } from './client-organizations/list-client-organizations.ts';
import { acceptInvitation, showInvitation } from './invitations/accept-invitation.ts';
import { askForSignIn, signUp } from './mail-links/ask.ts';
import { finishSignUp, signInByMail } from './mail-links/follow.ts';
import { changeMember } from './members/change-member.ts';
import { checkMember, listMembers, removeMember } from './members/organization-members.ts';
import { checkPublicMember, hideMembership, listPublicMembers, showMembership } from './members/public-members.ts';
import { putMemberships } from './members/put-memberships.ts';
import { beginOidc, bindIdentity, listProviders } from './oidc/begin-oidc.ts';
import { finishOidc } from './oidc/finish-oidc.ts';
import { checkOwner, getOrganization } from './organizations/read-organization.ts';
import { claimOrganization, getClaim, getOldestClaim } from './organizations/claim-organization.ts';
import { createOrganization } from './organizations/create-organization.ts';
import { deleteOrganization } from './organizations/delete-organization.ts';
import { listOrganizations } from './organizations/list-organizations.ts';
import { markClaimable, putClaim } from './organizations/put-claim.ts';
import { putOrganizations } from './organizations/put-organizations.ts';
import { updateOrganization } from './organizations/update-organization.ts';
import type { Parts } from './parts.ts';
import { deleteAvatar } from './pictures/remove-pictures.ts';
import { getAvatar, getPicture } from './pictures/read-avatar.ts';
import { updateAvatar } from './pictures/update-avatar.ts';
import { reportLostStore } from './projection/report-lost-store.ts';
import { settle } from './projection/settle-or-fail.ts';
import { createRole } from './roles/create-role.ts';
import { deleteRole } from './roles/delete-role.ts';
import { getRole, listRolePrincipals, listRoles } from './roles/read-roles.ts';
import { updateRole } from './roles/update-role.ts';
import { endSession, getSession, listSessions } from './sessions/sessions.ts';
import { createSignInLink, signInByLink, signInByToken, signOut } from './sessions/sign-in.ts';
import { settings } from './settings/methods.ts';
import { explain } from './standing/explain.ts';
import { explainPermission } from './standing/explain-permission.ts';
import { getStanding, resolveOwners } from './standing/identity-methods.ts';
import { checkDrift, getStatus, getVersion } from './status/status.ts';
import { repairDrift } from './status/repair-drift.ts';
import { acceptTeamInvitation } from './team-invitations/accept.ts';
import { createTeamInvitation, deleteTeamInvitation, listTeamInvitations } from './team-invitations/invite.ts';
import { putTeams } from './teams/put-teams.ts';
import { teamMembers, teams } from './teams/methods.ts';
import { tokens, userTokens } from './tokens/methods.ts';
import { createToken } from './tokens/create-token.ts';
import { listTokens } from './tokens/list-tokens.ts';
import { revokeToken } from './tokens/revoke-token.ts';
import { putScopedToken, revokeScopedTokens } from './tokens/scoped-tokens.ts';
import { rotateKeys } from './tokens/rotate-keys.ts';
import { createUser } from './users/create-user.ts';
import { deleteUser } from './users/delete-user.ts';
import { getUser, listUserOrganizations, searchUsers, updateUserSettings } from './users/own-account.ts';
import { getProfile } from './users/profile.ts';
import { listUsers } from './users/list-users.ts';
import { listOwners } from './users/reports.ts';
import { putLicensee } from './users/put-licensee.ts';
import { putUsers } from './users/put-users.ts';
import {
  addSiteUser, changeSiteUser, listSiteOrganizations, listSiteUsers, removeSiteUser,
} from './users/site-users.ts';
import { updateUser } from './users/update-user.ts';
import { webhookServices } from './webhooks/methods.ts';

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
    implement(ClientOrganizationAccountServiceService, {
      listClientOrganizations: listClientOrganizations(parts), getClientOrganization: getClientOrganization(parts),
    }),
    implement(ClientOrganizationAdminServiceService, {
      createClientOrganization: createClientOrganization(parts),
      settleClientOrganization: settleClientOrganization(parts),
      closeClientOrganization: closeClientOrganization(parts),
      deleteClientOrganization: deleteClientOrganization(parts),
    }),
    implement(SiteAdminServiceService, {
      listSiteUsers: listSiteUsers(parts),
      addSiteUser: addSiteUser(parts),
      changeSiteUser: changeSiteUser(parts),
      removeSiteUser: removeSiteUser(parts),
      getSiteStatus: async (_request, context) => getStatus(parts)({}, context),
      listSiteOrganizations: listSiteOrganizations(parts),
    }),
    implement(AuditServiceService, {
      listSiteAudit: listSiteAudit(parts), listOrganizationAudit: listOrganizationAudit(parts),
    }),
    implement(ExplanationServiceService, { explainPermission: explainPermission(parts) }),
    implement(InvitationServiceService, {
      showInvitation: showInvitation(parts), acceptInvitation: acceptInvitation(parts),
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
    implement(TeamMemberServiceService, teamMembers(parts)),
    implement(RoleServiceService, {
      listRoles: listRoles(parts),
      createRole: createRole(parts),
      getRole: getRole(parts),
      updateRole: updateRole(parts),
      deleteRole: deleteRole(parts),
      listRolePrincipals: listRolePrincipals(parts),
    }),
    implement(TeamServiceService, teams(parts)),
    implement(SettingsServiceService, settings(parts)),
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
      getClaim: getClaim(parts),
      markClaimable: markClaimable(parts),
    }),
    implement(TokenServiceService, tokens(parts)),
    implement(UserServiceService, {
      getUser: getUser(parts),
      updateUserSettings: updateUserSettings(parts),
      listUserOrganizations: listUserOrganizations(parts),
      searchUsers: searchUsers(parts),
    }),
    implement(UserTokenServiceService, userTokens(parts)),
    implement(SessionServiceService, {
      listSessions: listSessions(parts),
      endSession: endSession(parts),
      getSession: getSession(parts),
      signInByToken: signInByToken(parts),
      signInByLink: signInByLink(parts),
      signOut: signOut(parts),
    }),
    implement(OidcServiceService, {
      listProviders: listProviders(parts),
      beginOidc: beginOidc(parts),
      finishOidc: finishOidc(parts),
      bindIdentity: bindIdentity(parts),
    }),
    implement(SignInServiceService, {
      askForSignIn: askForSignIn(parts),
      signInByMail: signInByMail(parts),
      signUp: signUp(parts),
      finishSignUp: finishSignUp(parts),
      acceptTeamInvitation: acceptTeamInvitation(parts),
    }),
    implement(TeamInvitationServiceService, {
      createTeamInvitation: createTeamInvitation(parts),
      listTeamInvitations: listTeamInvitations(parts),
      deleteTeamInvitation: deleteTeamInvitation(parts),
    }),
    ...webhookServices(parts),
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
      createSignInLink: createSignInLink(parts),
      revokeToken: revokeToken(parts),
      putScopedToken: putScopedToken(parts),
      revokeScopedTokens: revokeScopedTokens(parts),
      createBusAccount: createBusAccount(parts),
      putLicensee: putLicensee(parts),
      listOwners: listOwners(parts),
      rotateKeys: rotateKeys(parts),
      listAudit: listAudit(parts),
      listUsers: listUsers(parts),
      listOrganizations: listOrganizations(parts),
      listTokens: listTokens(parts),
      listBusAccounts: listBusAccounts(parts),
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
