import { AdminServiceService } from '@platform/proto/orgs/v1/admin';
import { AuditServiceService } from '@platform/proto/orgs/v1/audit';
import { AvatarServiceService } from '@platform/proto/orgs/v1/avatar';
import { BulkServiceService } from '@platform/proto/orgs/v1/bulk';
import { ClaimServiceService } from '@platform/proto/orgs/v1/claim';
import {
  ClientOrganizationAccountServiceService, ClientOrganizationAdminServiceService,
} from '@platform/proto/orgs/v1/client_organization';
import { EventServiceService } from '@platform/proto/orgs/v1/event';
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
import { SiteWebhookServiceService, WebhookServiceService } from '@platform/proto/orgs/v1/webhook';
import { VersionServiceService } from '@platform/proto/version/v1/version';
import { type Handler, type Handlers, implement, type Implementation, type ServiceDefinition } from '@platform/rpc';
import { listOrganizationAudit, listSiteAudit } from './audit/audit-records.ts';
import { listAudit } from './audit/list-audit.ts';
import { createBusAccount } from './bus/create-bus-account.ts';
import { createBusToken } from './bus/create-bus-token.ts';
import { listBusAccounts } from './bus/list-bus-accounts.ts';
import { listBusTokens } from './bus/list-bus-tokens.ts';
import { revokeBusToken } from './bus/revoke-bus-token.ts';
import {
  createClientOrganization, settleClientOrganization,
} from './client-organizations/create-client-organization.ts';
import {
  closeClientOrganization, deleteClientOrganization,
} from './client-organizations/delete-client-organization.ts';
import { getClientOrganization, listClientOrganizations } from './client-organizations/list-client-organizations.ts';
import { takeEvents } from './events/take-events.ts';
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
import { reportLostStore } from './projection/lost-store.ts';
import { settle } from './projection/settle-or-fail.ts';
import { createRole } from './roles/create-role.ts';
import { deleteRole } from './roles/delete-role.ts';
import { getRole, listRolePrincipals, listRoles } from './roles/read-roles.ts';
import { updateRole } from './roles/update-role.ts';
import { endSession, getSession, listSessions } from './sessions/sessions.ts';
import { createSignInLink, signInByLink, signInByToken, signOut } from './sessions/sign-in.ts';
import { addAllowedDomain, listAllowedDomains, removeAllowedDomain } from './settings/allowed-domains.ts';
import { getBranding, getLetterhead } from './settings/get-branding.ts';
import { getRegistration, updateRegistration } from './settings/registration.ts';
import { updateBranding } from './settings/update-branding.ts';
import { explain } from './standing/explain.ts';
import { explainPermission } from './standing/explain-permission.ts';
import { getStanding, resolveOwners } from './standing/identity-methods.ts';
import { checkDrift, getStatus, getVersion } from './status/status.ts';
import { repairDrift } from './status/repair-drift.ts';
import { acceptTeamInvitation } from './team-invitations/accept.ts';
import { createTeamInvitation, deleteTeamInvitation, listTeamInvitations } from './team-invitations/invite.ts';
import { putTeams } from './teams/put-teams.ts';
import { changeMembership } from './teams/change-membership.ts';
import { createTeam } from './teams/create-team.ts';
import { deleteTeam } from './teams/delete-team.ts';
import { getTeam, listTeams } from './teams/read-teams.ts';
import { addTeamMember, getTeamMember, listTeamMembers, removeTeamMember } from './teams/team-members.ts';
import { updateTeam } from './teams/update-team.ts';
import { createAccessToken } from './tokens/create-access-token.ts';
import { deleteAccessToken } from './tokens/delete-access-token.ts';
import { listAccessTokens } from './tokens/list-access-tokens.ts';
import { createSyncToken, deleteSyncToken, getSyncToken } from './tokens/sync-token.ts';
import { createUserToken, deleteUserToken, listUserTokens } from './tokens/user-tokens.ts';
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
import { siteWebhookMethods, webhookMethods } from './webhooks/webhook-methods.ts';

export function methods(parts: Parts): readonly Implementation[] {
  return [
    implementWith(parts, OrganizationServiceService, {
      createOrganization, getOrganization, checkOwner, updateOrganization, deleteOrganization,
    }),
    implementWith(parts, ClientOrganizationAccountServiceService, { listClientOrganizations, getClientOrganization }),
    implementWith(parts, ClientOrganizationAdminServiceService, {
      createClientOrganization, settleClientOrganization, closeClientOrganization, deleteClientOrganization,
    }),
    implementWith(parts, SiteAdminServiceService, {
      listSiteUsers, addSiteUser, changeSiteUser, removeSiteUser,
      getSiteStatus: () => async (_request, context) => getStatus(parts)({}, context),
      listSiteOrganizations,
    }),
    implementWith(parts, AuditServiceService, { listSiteAudit, listOrganizationAudit }),
    implementWith(parts, ExplanationServiceService, { explainPermission }),
    implementWith(parts, InvitationServiceService, { showInvitation, acceptInvitation }),
    implementWith(parts, MemberServiceService, {
      getProfile, listMembers, changeMember, checkMember, removeMember, listPublicMembers, checkPublicMember,
      showMembership, hideMembership,
    }),
    implementWith(parts, TeamMemberServiceService, {
      changeMembership, listTeamMembers, getTeamMember, addTeamMember, removeTeamMember,
    }),
    implementWith(parts, RoleServiceService, {
      listRoles, createRole, getRole, updateRole, deleteRole, listRolePrincipals,
    }),
    implementWith(parts, TeamServiceService, { listTeams, createTeam, getTeam, updateTeam, deleteTeam }),
    implementWith(parts, SettingsServiceService, {
      getBranding, getLetterhead, updateBranding, listAllowedDomains, addAllowedDomain, removeAllowedDomain,
      getRegistration, updateRegistration,
    }),
    implementWith(parts, AvatarServiceService, { getAvatar, updateAvatar, deleteAvatar, getPicture }),
    implementWith(parts, ClaimServiceService, { claimOrganization, getOldestClaim, putClaim, getClaim, markClaimable }),
    implementWith(parts, TokenServiceService, {
      getSyncToken, createSyncToken, deleteSyncToken,
      getUserSyncToken: () => getSyncToken(parts, 'caller'),
      createUserSyncToken: () => createSyncToken(parts, 'caller'),
      deleteUserSyncToken: () => deleteSyncToken(parts, 'caller'),
      listAccessTokens, createAccessToken, deleteAccessToken, listBusTokens, createBusToken, revokeBusToken,
    }),
    implementWith(parts, UserServiceService, { getUser, updateUserSettings, listUserOrganizations, searchUsers }),
    implementWith(parts, UserTokenServiceService, { listUserTokens, createUserToken, deleteUserToken }),
    implementWith(parts, SessionServiceService, {
      listSessions, endSession, getSession, signInByToken, signInByLink, signOut,
    }),
    implementWith(parts, OidcServiceService, { listProviders, beginOidc, finishOidc, bindIdentity }),
    implementWith(parts, SignInServiceService, {
      askForSignIn, signInByMail, signUp, finishSignUp, acceptTeamInvitation,
    }),
    implementWith(parts, TeamInvitationServiceService, {
      createTeamInvitation, listTeamInvitations, deleteTeamInvitation,
    }),
    implement(WebhookServiceService, webhookMethods(parts)),
    implement(SiteWebhookServiceService, siteWebhookMethods(parts)),
    implementWith(parts, EventServiceService, { takeEvents }),
    implementWith(parts, VersionServiceService, { getVersion }),
    implementWith(parts, IdentityServiceService, { getStanding, settle, resolveOwners, reportLostStore }),
    implementWith(parts, AdminServiceService, {
      createUser, updateUser, deleteUser, createToken, createSignInLink, revokeToken, putScopedToken,
      revokeScopedTokens, createBusAccount, putLicensee, listOwners, rotateKeys, listAudit, listUsers,
      listOrganizations, listTokens, listBusAccounts, explain, checkDrift, repairDrift, getStatus,
    }),
    implementWith(parts, BulkServiceService, { putUsers, putOrganizations, putTeams, putMemberships }),
  ];
}

/** Implements a service. Each function in `makers` creates the handler of the method with the same name. */
function implementWith<S extends ServiceDefinition>(
  parts: Parts, definition: S, makers: { readonly [Name in keyof S]: (parts: Parts) => Handler<S[Name]> },
): Implementation {
  const handlers = Object.entries<(parts: Parts) => unknown>(makers).map(([name, make]) => [name, make(parts)]);
  return implement(definition, Object.fromEntries(handlers) as Handlers<S>);
}
