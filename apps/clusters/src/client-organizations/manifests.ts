import type { Permission } from './requested-organization.ts';
import type { StoredSettings } from './cluster-store.ts';

interface OnSpoke {
  readonly organizationId: number;
  readonly name: string;
  readonly settings: StoredSettings;
  readonly gateway: SpokeGateway | undefined;
  readonly terminating: boolean;
}

export type SpokeGateway =
  | { readonly kind: 'own'; /** JSON. */ readonly config: string }
  | { readonly kind: 'shared'; readonly of: string };

type Texts = Readonly<Record<string, string>>;

const rbac = { group: 'rbac.authorization.k8s.io', version: 'rbac.authorization.k8s.io/v1' };
/** The platform's roles, each with the Kubernetes role that has the same rules. */
const ownRoles: Texts = { 'platform:admin': 'admin', 'platform:editor': 'edit', 'platform:viewer': 'view' };

/** The namespaces of a client organization (open-points 4.1). */
export function namespacesOf(name: string, has: { readonly gateway: boolean; readonly telemetry: boolean }): string[] {
  return [name, ...(has.gateway ? [gatewayNamespace(name)] : []), ...(has.telemetry ? [`${name}-monitoring`] : [])];
}

function gatewayNamespace(name: string): string {
  return `${name}-gw`;
}

/** Whether the platform creates the ClusterRole of this name. Other roles must already exist. */
export function isOwnRole(name: string): boolean {
  return Object.hasOwn(ownRoles, name);
}

/** The objects of a client organization on a spoke (open-points 4.1, 4.4). @param domain setting `labels.domain` */
export function manifestsOf(client: OnSpoke, domain: string): object[] {
  const { name, organizationId, settings, gateway, terminating } = client;
  const label = { [`${domain}/client-org`]: terminating ? 'terminating' : 'true' };
  const shared = { ...settings.annotations, [`${domain}/org-id`]: String(organizationId) };
  const { dbConfig, telemetry } = settings;
  const database = dbConfig === undefined ? {} : { [`${domain}/db-config`]: JSON.stringify(dbConfig) };
  const namespaces = [namespace(name, label, { ...shared, ...database })];
  if (gateway !== undefined) {
    const used = gateway.kind === 'own' ? name : gateway.of;
    const preset = { [`${domain}/gateway-preset`]: `${gatewayNamespace(used)}/${used}` };
    namespaces.push(namespace(gatewayNamespace(name), label, { ...shared, ...preset }));
  }
  if (telemetry !== undefined) {
    const monitored = { [`${domain}/client-org-monitoring`]: 'true' };
    const kept = { [`${domain}/telemetry`]: JSON.stringify(telemetry) };
    namespaces.push(namespace(`${name}-monitoring`, { ...label, ...monitored }, { ...shared, ...kept }));
  }
  const own = namespaces.map(({ metadata }) => metadata.name);
  return [
    ...namespaces,
    ...(gateway?.kind === 'own' ? [preset(name, gateway.config, domain)] : []),
    ...rolesOf(settings.permissions),
    ...bindingsOf(own, client),
  ];
}

function namespace(name: string, labels: Texts, annotations: Texts) {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels, annotations } };
}

function preset(name: string, config: string, domain: string): object {
  return {
    apiVersion: 'v1', kind: 'Secret',
    metadata: { name, namespace: gatewayNamespace(name) },
    type: `${domain}/gateway-preset`,
    data: { 'preset.json': Buffer.from(config).toString('base64') },
  };
}

/**
 * Returns manifests of the platform's own ClusterRoles that the permissions name. Several client organizations on a
 * spoke share these roles.
 */
function rolesOf(permissions: readonly Permission[]): object[] {
  const used = new Set(permissions
    .filter(({ roleType, roleRefName }) => roleType === 'ClusterRole' && isOwnRole(roleRefName))
    .map(({ roleRefName }) => roleRefName));
  return [...used].sort().map((name) => ({
    apiVersion: rbac.version, kind: 'ClusterRole', metadata: { name },
    aggregationRule: {
      clusterRoleSelectors: [{ matchLabels: { [`${rbac.group}/aggregate-to-${ownRoles[name]}`]: 'true' } }],
    },
    rules: [],
  }));
}

/** Binds a ClusterRole only in the organization's namespaces, and a Role only in the namespaces of its permission. */
function bindingsOf(own: readonly string[], { name, organizationId, settings }: OnSpoke): object[] {
  const all = settings.permissions.flatMap(({ roleType, roleRefName, namespaces }) =>
    (roleType === 'ClusterRole' ? own : namespaces).map((within) => ({
      apiVersion: rbac.version, kind: 'RoleBinding',
      metadata: { name: `client-org-${name}-${roleType.toLowerCase()}-${roleRefName}`, namespace: within },
      roleRef: { apiGroup: rbac.group, kind: roleType, name: roleRefName },
      subjects: [{ apiGroup: rbac.group, kind: 'Group', name: `platform.org.${organizationId}` }],
    })));
  // Remove duplicates: permissions for a cluster and for its set may name the same role.
  return [...new Map(all.map((binding) => [JSON.stringify(binding.metadata), binding])).values()];
}
