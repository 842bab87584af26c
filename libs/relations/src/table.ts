import type { PairName } from './catalogue.ts';
import { type Holder, type ObjectType, type RelationRow, row } from './relation-row.ts';

const organization = [
  row('organization', 'member', 'member', 'act in the organization',
    { labels: ['org membership', 'metrics auth hook'], systemAdmin: true }),
  row('organization', 'owner', 'owner', 'act as an owner', { labels: ['org ownership', 'is-owner'] }),
  row('organization', 'can_view', 'member', 'see the organization', { systemAdmin: true }),
  row('organization', 'can_edit', 'admin', 'change the profile of the organization',
    { labels: ['edit:org'], pair: 'org_mgmt/edit' }),
  row('organization', 'can_delete', 'owner', 'delete the organization', { labels: ['delete:org'] }),
  row('organization', 'can_remove_member', 'owner', 'remove people from the organization', { labels: ['admin:org'] }),
  row('organization', 'can_edit_branding', 'branding_editor', 'change the branding of the platform',
    { labels: ['edit_branding_options:org'] }),
  row('organization', 'can_view_client_billing', 'owner', 'see the bills of client organizations',
    { labels: ['/dbaas/billing/*'] }),
  row('organization', 'can_view_avatar', 'viewer', 'see the picture of the organization',
    { labels: ['view:avatar'], systemAdmin: true, pair: 'org_mgmt/view' }),
  row('organization', 'can_update_avatar', 'editor', 'change the picture of the organization',
    { labels: ['update:avatar'], pair: 'org_mgmt/edit' }),
  row('organization', 'can_delete_avatar', 'editor', 'delete the picture of the organization',
    { labels: ['delete:avatar'], pair: 'org_mgmt/edit' }),
  row('organization', 'can_view_sync_token', 'editor', 'read the sync token',
    { labels: ['view:sync-token'], systemAdmin: true, pair: 'token_mgmt/view sync token' }),
  row('organization', 'can_create_sync_token', 'editor', 'create the sync token',
    { labels: ['create:manager-org-sync-token'], pair: 'token_mgmt/manage sync token' }),
  row('organization', 'can_remove_sync_token', 'editor', 'remove the sync token',
    { labels: ['remove:manager-sync-token'], pair: 'token_mgmt/manage sync token' }),
  row('organization', 'can_list_access_tokens', 'viewer', 'list the access tokens',
    { labels: ['list:access-token'], systemAdmin: true, pair: 'token_mgmt/view access tokens' }),
  row('organization', 'can_delete_access_token', 'editor', 'delete access tokens',
    { labels: ['delete:access-token'], pair: 'token_mgmt/delete access tokens' }),
  row('organization', 'can_list_bus_tokens', 'viewer', 'list the message-bus tokens',
    { labels: ['list:bus-token'], systemAdmin: true, pair: 'token_mgmt/view bus tokens' }),
  row('organization', 'can_revoke_bus_token', 'editor', 'revoke message-bus tokens',
    { labels: ['revoke:bus-token'], pair: 'token_mgmt/revoke bus tokens' }),
  row('organization', 'can_create_access_token', 'admin', 'create access tokens',
    { labels: ['create:access-token'], pair: 'token_mgmt/create access tokens' }),
  row('organization', 'can_create_bus_token', 'admin', 'create message-bus tokens',
    { labels: ['create:bus-token'], pair: 'token_mgmt/create bus tokens' }),
  row('organization', 'can_view_audit', 'admin', 'see the audit of the organization',
    { labels: ['GET /orgs/{orgname}/audit'], pair: 'org_mgmt/view audit' }),
  row('organization', 'can_manage_webhooks', 'admin', 'manage the webhooks of the organization',
    { labels: ['GET /orgs/{orgname}/webhooks'], pair: 'org_mgmt/manage webhooks' }),
  row('organization', 'can_list_teams', 'viewer', 'list the teams',
    { labels: ['list:team'], systemAdmin: true, pair: 'team_mgmt/view teams' }),
  row('organization', 'can_create_team', 'admin', 'create teams',
    { labels: ['create:team'], pair: 'team_mgmt/create teams' }),
  row('organization', 'can_create_role', 'admin', 'create roles',
    { labels: ['create_role:org'], pair: 'role_mgmt/create roles' }),
  row('organization', 'can_view_clusters', 'viewer', 'see the clusters',
    { labels: ['GET /clusters'], systemAdmin: true, pair: 'cluster_mgmt/view clusters' }),
  row('organization', 'can_import_clusters', 'admin', 'import clusters', { pair: 'cluster_mgmt/import clusters' }),
  row('organization', 'can_manage_metrics_backends', 'admin', 'register and unregister metrics backends',
    { labels: ['metrics proxy "org admin"'], systemAdmin: true, pair: 'cluster_mgmt/manage metrics backends' }),
  row('organization', 'can_view_contracts', 'viewer', 'see the contracts',
    { labels: ['view_contracts:contract_mgmt', '/user/contracts*'], systemAdmin: true,
      pair: 'contract_mgmt/view contracts' }),
  row('organization', 'can_add_contract_clusters', 'editor', 'bind clusters to contracts',
    { labels: ['add_cluster:contract_mgmt', 'POST /user/contracts/{id}/clusters'], systemAdmin: true,
      pair: 'contract_mgmt/add clusters' }),
  row('organization', 'can_remove_contract_clusters', 'editor', 'remove clusters from contracts',
    { labels: ['DELETE /user/contracts/{id}/clusters/{ccID}'], pair: 'contract_mgmt/remove clusters' }),
  row('organization', 'can_edit_contract_clusters', 'editor', 'rename and tag the clusters of contracts',
    { labels: ['PATCH /user/contracts/{id}/clusters/{ccID}/name', 'PATCH /user/contracts/{id}/clusters/{ccID}/tags'],
      pair: 'contract_mgmt/edit clusters' }),
  row('organization', 'can_update_contract_preferences', 'editor', 'change the preferences of contracts',
    { labels: ['updated_preferences:contracts'], pair: 'contract_mgmt/update preferences' }),
  row('organization', 'can_issue_license', 'editor', 'issue licences',
    { labels: ['issue-license:cluster', 'POST /license/issue', 'POST /user/license-proxy, offline'],
      systemAdmin: true, pair: 'contract_mgmt/issue licenses' }),
  row('organization', 'can_create_license_proxy', 'admin', 'generate installers of the licence proxy',
    { labels: ['POST /user/license-proxy, online'], pair: 'contract_mgmt/create license proxy' }),
];

const team = [
  row('team', 'can_view', 'viewer', 'see the team',
    { labels: ['view:team'], teamMembers: true, systemAdmin: true, pair: 'team_mgmt/view teams' }),
  row('team', 'can_list_members', 'viewer', 'list the members of the team',
    { labels: ['list:team-members'], teamMembers: true, systemAdmin: true, pair: 'team_mgmt/view teams' }),
  row('team', 'can_view_member', 'viewer', 'see a member of the team',
    { labels: ['view:team-member'], teamMembers: true, systemAdmin: true, pair: 'team_mgmt/view teams' }),
  row('team', 'can_edit', 'admin', 'change the team',
    { labels: ['edit:team'], ownersTeam: 'owner', pair: 'team_mgmt/edit teams' }),
  row('team', 'can_delete', 'admin', 'delete the team',
    { labels: ['delete:team'], ownersTeam: 'owner', pair: 'team_mgmt/delete teams' }),
  row('team', 'can_add_member', 'admin', 'add people to the team',
    { labels: ['add:team', 'add:team-member'], ownersTeam: 'owner', pair: 'team_mgmt/manage members' }),
  row('team', 'can_remove_member', 'admin', 'remove people from the team',
    { labels: ['remove:team', 'remove:team-member'], ownersTeam: 'owner', pair: 'team_mgmt/manage members' }),
  row('team', 'can_join', 'owner', 'join the team', { labels: ['join:team'] }),
  row('team', 'can_leave', 'team_member', 'leave the team', { labels: ['leave:team'], teamMembers: true }),
];

const role = [
  row('role', 'can_view', 'viewer', 'see the role',
    { labels: ['view:role'], systemAdmin: true, pair: 'role_mgmt/view roles' }),
  row('role', 'can_view_principals', 'viewer', 'see which teams have the role',
    { labels: ['viewer:role'], systemAdmin: true, pair: 'role_mgmt/view roles' }),
  row('role', 'can_edit', 'admin', 'change the role', { labels: ['edit:role'], pair: 'role_mgmt/edit roles' }),
  row('role', 'can_delete', 'admin', 'delete the role', { labels: ['delete:role'], pair: 'role_mgmt/delete roles' }),
];

const cluster = [
  row('cluster', 'can_view', 'viewer', 'see the cluster', { systemAdmin: true, pair: 'cluster_mgmt/view clusters' }),
  row('cluster', 'can_edit', 'editor', 'change the settings of the cluster',
    { pair: 'cluster_mgmt/reconfigure clusters' }),
  row('cluster', 'can_delete', 'admin', 'remove the cluster', { pair: 'cluster_mgmt/remove clusters' }),
  row('cluster', 'can_connect', 'viewer', 'connect to the cluster',
    { systemAdmin: true, pair: 'cluster_mgmt/connect to clusters' }),
  row('cluster', 'can_view_kubeconfig', 'editor', 'read the kubeconfig of the cluster',
    { pair: 'cluster_mgmt/connect to clusters' }),
  row('cluster', 'can_issue_license', 'editor', 'issue licences for the cluster',
    { labels: ['issue-license:cluster'], systemAdmin: true, pair: 'contract_mgmt/issue licenses',
      through: { link: 'organization', relation: 'can_issue_license' } }),
  row('cluster', 'can_view_clustersets', 'viewer', 'see the cluster sets of the hub',
    { labels: ['cluster-set reads without {clusterset}'], systemAdmin: true, pair: 'cluster_mgmt/view clusters' }),
  row('cluster', 'can_manage_clustersets', 'admin', 'create cluster sets of the hub',
    { labels: ['clustersets/create'], pair: 'cluster_mgmt/manage cluster sets' }),
  row('cluster', 'can_manage_featuresets', 'admin', 'install and disable feature sets of the hub',
    { pair: 'cluster_mgmt/manage feature sets' }),
  row('cluster', 'can_bind_namespaces', 'admin', 'bind and unbind namespaces of the hub',
    { labels: ['bind', 'unbind'], pair: 'cluster_mgmt/bind namespaces' }),
];

const clusterset = [
  row('clusterset', 'can_view', 'viewer', 'see the cluster set',
    { labels: ['cluster-set reads with {clusterset}'], systemAdmin: true, pair: 'cluster_mgmt/view clusters',
      through: { link: 'cluster', relation: 'can_view_clustersets' } }),
  row('clusterset', 'can_manage', 'admin', 'change and delete the cluster set',
    { labels: ['clustersets/delete', 'clustersets/add', 'clustersets/remove'],
      pair: 'cluster_mgmt/manage cluster sets', through: { link: 'cluster', relation: 'can_manage_clustersets' } }),
  row('clusterset', 'can_manage_featuresets', 'admin', 'install, update and disable feature sets of the cluster set',
    { labels: ['install', 'disable', 'update-featureset', 'auto-update'], pair: 'cluster_mgmt/manage feature sets',
      through: { link: 'cluster', relation: 'can_manage_featuresets' } }),
];

const contract = [
  contractRow('can_view', 'viewer', 'see the contract', 'can_view_contracts', 'contract_mgmt/view contracts', true),
  contractRow('can_add_clusters', 'editor', 'bind clusters to the contract', 'can_add_contract_clusters',
    'contract_mgmt/add clusters', true),
  contractRow('can_remove_clusters', 'editor', 'remove clusters from the contract', 'can_remove_contract_clusters',
    'contract_mgmt/remove clusters'),
  contractRow('can_edit_clusters', 'editor', 'rename and tag the clusters of the contract',
    'can_edit_contract_clusters', 'contract_mgmt/edit clusters'),
  contractRow('can_update_preferences', 'editor', 'change the preferences of the contract',
    'can_update_contract_preferences', 'contract_mgmt/update preferences'),
  contractRow('can_issue_license', 'editor', 'issue licences from the contract', 'can_issue_license',
    'contract_mgmt/issue licenses', true),
];

function contractRow(
  relation: string, lowest: Holder, may: string, ofOrganization: string, pair: PairName, systemAdmin = false,
): RelationRow {
  return row('contract', relation, lowest, may,
    { systemAdmin, pair, through: { link: 'organization', relation: ofOrganization } });
}

const accounts = [
  row('robot_ac', 'can_view', 'viewer', 'see the system admin account', { systemAdmin: true }),
  row('robot_ac', 'can_edit', 'editor', 'change the system admin account'),
  row('robot_ac', 'can_delete', 'editor', 'delete the system admin account'),
  row('token', 'can_view', 'viewer', 'see the access token', { systemAdmin: true }),
  row('token', 'can_delete', 'editor', 'delete the access token'),
  row('user', 'can_view', 'account_holder', 'see their own account'),
  row('user', 'can_edit', 'account_holder', 'change their own account'),
  row('user', 'can_manage_tokens', 'account_holder', 'manage their own access tokens'),
];

const site = [
  siteRow('can_admin_view_contracts', 'see all contracts', 'view_contracts:site_admin'),
  siteRow('can_admin_create_contracts', 'create contracts', 'create_contracts:site_admin'),
  siteRow('can_admin_update_contracts', 'change contracts', 'update_contracts:site_admin'),
  siteRow('can_admin_delete_contracts', 'delete contracts', 'delete_contracts:site_admin'),
  siteRow('can_admin_extend_contracts', 'extend contracts', 'extend_contracts:site_admin'),
  siteRow('can_admin_revoke_contracts', 'revoke contracts', 'revoke_contracts:site_admin'),
  siteRow('can_admin_add_contract_clusters', 'bind clusters to any contract', 'add_cluster:site_admin'),
  siteRow('can_admin_remove_contract_clusters', 'remove clusters from any contract', 'remove_cluster:site_admin'),
  siteRow('can_admin_issue_license', 'issue licences from any contract', 'issue_license:site_admin'),
  siteRow('can_admin_rename_contract_clusters', 'rename clusters of any contract', 'update_cluster_name:site_admin'),
  siteRow('can_admin_tag_contract_clusters', 'tag clusters of any contract', 'update_cluster_tags:site_admin'),
  siteRow('can_admin_view_usage', 'see the usage of all accounts', 'view_usage_analytics:site_admin'),
  siteRow('can_admin_view_licensed_users', 'see all licensed users', 'view_licensed_users:site_admin'),
  siteRow('can_admin_view_outages', 'see and record system outages', 'view_system_outages:site_admin'),
  siteRow('can_admin_view_marketplace', 'see and revoke marketplace subscriptions',
    'view_marketplace_usage:site_admin'),
  siteRow('can_admin_edit_allowed_domains', 'change the allowed e-mail domains', 'edit_allowed_domains:site_admin'),
  siteRow('can_admin_edit_registration', 'switch user registration on and off', 'update_user_registration:site_admin'),
  siteRow('can_admin_view_client_orgs', 'see client organizations', 'Organization_SiteAdminCanViewClientOrg'),
  siteRow('can_admin_create_client_org', 'create client organizations', 'Organization_SiteAdminCanCreateClientOrg'),
  siteRow('can_admin_add_client_org_cluster', 'add clusters to client organizations',
    'Organization_SiteAdminCanAddClusterToClientOrg'),
  siteRow('can_admin_remove_client_org_cluster', 'remove clusters from client organizations',
    'Organization_SiteAdminCanRemoveClusterFromClientOrg'),
  siteRow('can_admin_delete_client_org', 'delete client organizations', 'Organization_SiteAdminCanDeleteClientOrg'),
  siteRow('can_admin_report_metered_usage', 'report metered usage to a marketplace', 'metered-billing proxy'),
  siteRow('can_admin_view_claims', 'see claimable organizations', 'GET /orgs/claim/'),
  siteRow('can_admin_manage_site', 'manage all accounts, and see the audit and the state of the platform', '/admin/*'),
];

function siteRow(relation: string, may: string, label: string): RelationRow {
  return row('site', relation, 'site_admin', may, { labels: [label] });
}

/**
 * Every relation that can be checked (open-points 2.3 to 2.5). The authorization model, the golden policy and
 * docs/permissions.md are made from this table.
 */
export const relationTable: readonly RelationRow[] = [
  ...organization, ...team, ...role, ...cluster, ...clusterset, ...contract, ...accounts, ...site,
];

export function rowsOf(type: ObjectType): readonly RelationRow[] {
  return relationTable.filter((candidate) => candidate.type === type);
}

/** Types of objects that a user can own. A user also owns their account (`user`). The owner holds every relation. */
export const userOwnedTypes: readonly ObjectType[] = ['cluster', 'clusterset', 'contract', 'token', 'user'];
