type PermissionNamespace = 'org_mgmt' | 'team_mgmt' | 'role_mgmt' | 'token_mgmt' | 'cluster_mgmt' | 'contract_mgmt';

/** A permission that a custom role may hold. */
export interface Pair {
  readonly namespace: PermissionNamespace;
  readonly action: string;
}

interface CatalogueEntry extends Pair {
  /** What the permission allows, as one English sentence for people who define a role. */
  readonly description: string;
  /**
   * Pairs that a console may suggest with this pair. If `required`, this pair is of little use without the suggested
   * pair. The server does not check this.
   */
  readonly associated: readonly (Pair & { readonly required: boolean })[];
}

const entries = [
  entry('org_mgmt', 'view', 'See the profile picture of the organization.'),
  entry('org_mgmt', 'edit', 'Change the profile and the picture of the organization.', 'view'),
  entry('org_mgmt', 'view audit', 'See who changed what in the organization.'),
  entry('org_mgmt', 'manage webhooks', 'Create, change and delete webhooks for the events of the organization.'),
  entry('team_mgmt', 'view teams', 'See the teams of the organization and who is in them.'),
  entry('team_mgmt', 'create teams', 'Create teams in the organization.', 'view teams'),
  entry('team_mgmt', 'edit teams', 'Change the name, description and permissions of teams.', 'view teams'),
  entry('team_mgmt', 'delete teams', 'Delete teams of the organization.', 'view teams'),
  entry('team_mgmt', 'manage members', 'Add and remove members of teams.', 'view teams'),
  entry('role_mgmt', 'view roles', 'See custom roles and the teams they are assigned to.'),
  entry('role_mgmt', 'create roles', 'Create custom roles.', 'view roles'),
  entry('role_mgmt', 'edit roles', 'Change custom roles and their assignment to teams.', 'view roles'),
  entry('role_mgmt', 'delete roles', 'Delete custom roles.', 'view roles'),
  entry('token_mgmt', 'view access tokens', 'List the access tokens of the organization.'),
  entry('token_mgmt', 'delete access tokens', 'Delete access tokens of the organization.', 'view access tokens'),
  entry('token_mgmt', 'view bus tokens', 'List the message-bus tokens of the organization.'),
  entry('token_mgmt', 'revoke bus tokens', 'Revoke message-bus tokens of the organization.', 'view bus tokens'),
  entry('token_mgmt', 'view sync token', 'Read the secret sync token of the multi-cluster-manager.'),
  entry('token_mgmt', 'manage sync token', 'Create and remove the sync token of the multi-cluster-manager.',
    { action: 'view sync token', required: false }),
  entry('token_mgmt', 'create access tokens', 'Create access tokens of the organization.', 'view access tokens'),
  entry('token_mgmt', 'create bus tokens', 'Create message-bus tokens of the organization.', 'view bus tokens'),
  entry('cluster_mgmt', 'view clusters', 'See the clusters and cluster sets of the organization.',
    { action: 'import clusters', required: false }),
  entry('cluster_mgmt', 'import clusters', 'Import clusters into the organization.', 'view clusters'),
  entry('cluster_mgmt', 'reconfigure clusters', 'Change the settings of clusters.', 'view clusters'),
  entry('cluster_mgmt', 'remove clusters', 'Remove clusters from the organization.', 'view clusters'),
  entry('cluster_mgmt', 'connect to clusters', 'Connect to clusters and read their kubeconfig.', 'view clusters'),
  entry('cluster_mgmt', 'manage cluster sets', 'Create, change and delete cluster sets.', 'view clusters'),
  entry('cluster_mgmt', 'manage feature sets', 'Install, update and disable features of clusters and cluster sets.',
    'view clusters'),
  entry('cluster_mgmt', 'bind namespaces', 'Bind namespaces of a hub to cluster sets and unbind them.',
    'view clusters'),
  entry('cluster_mgmt', 'manage metrics backends', 'Register and unregister the metrics backends of clusters.',
    { action: 'view clusters', required: false }),
  entry('contract_mgmt', 'view contracts', 'See the contracts of the organization and their clusters.'),
  entry('contract_mgmt', 'add clusters', 'Bind clusters to contracts.', 'view contracts'),
  entry('contract_mgmt', 'remove clusters', 'Remove clusters from contracts.', 'view contracts'),
  entry('contract_mgmt', 'edit clusters', 'Rename and tag the clusters of contracts.', 'view contracts'),
  entry('contract_mgmt', 'update preferences', 'Change the preferences of contracts.', 'view contracts'),
  entry('contract_mgmt', 'issue licenses', 'Issue licences from contracts.', 'view contracts'),
  entry('contract_mgmt', 'create license proxy', 'Generate installers of the licence proxy.',
    { action: 'issue licenses', required: false }),
] as const;

/** A pair as one text, in the form that the table of relations uses: `team_mgmt/view teams`. */
export type PairName = (typeof entries)[number]['name'];

/** Every pair that a custom role may hold, in the order of open-points 2.6; the same for all organizations. */
export const catalogue: readonly CatalogueEntry[] = entries.map(({ namespace, action, description, associated }) => (
  { namespace, action, description, associated }));

const places = new Map<string, number>(entries.map(({ name }, place) => [name, place]));

/** Returns the name of a pair; undefined if the catalogue does not contain the pair. */
export function pairName(namespace: string, action: string): PairName | undefined {
  const name = `${namespace}/${action}`;
  return places.has(name) ? name as PairName : undefined;
}

export function pairOf(name: PairName): Pair {
  const { namespace, action } = catalogue[places.get(name)!]!;
  return { namespace, action };
}

export const pairNames: readonly PairName[] = entries.map(({ name }) => name);

/** Compares pairs by their order in the catalogue, to sort the permissions in responses (open-points 2.7). */
export function comparePairs(a: Pair, b: Pair): number {
  return place(a) - place(b);
}

function place({ namespace, action }: Pair): number {
  return places.get(`${namespace}/${action}`) ?? Number.MAX_SAFE_INTEGER;
}

function entry<const Namespace extends PermissionNamespace, const Action extends string>(
  namespace: Namespace, action: Action, description: string,
  associated?: string | { readonly action: string; readonly required: boolean },
): CatalogueEntry & { readonly name: `${Namespace}/${Action}` } {
  const suggestion = typeof associated === 'string' ? { action: associated, required: true } : associated;
  const suggested = suggestion === undefined ? [] : [{ namespace, ...suggestion }];
  return { name: `${namespace}/${action}`, namespace, action, description, associated: suggested };
}
