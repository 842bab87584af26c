import type { ClientOrg, ClientOrgParams, UserPermission } from '@platform/proto/clusters/v1/client_organization';
import type { ClientSyncToken, CreateClientOrganizationRequest } from '@platform/proto/orgs/v1/client_organization';
import {
  controlCharacterProblem, dnsLabelProblem, invalidValue, lengthProblem, refuseTooMany, slugProblem, uuidProblem,
  Violations, webAddressProblem,
} from '@platform/values';
import { type ClusterSettings, requestedSettings } from './requested-settings.ts';

/** What members of a client organization may do on a cluster, or on the clusters of a set. */
export interface Permission {
  readonly name: string;
  readonly isClusterSet: boolean;
  readonly roleType: 'ClusterRole' | 'Role';
  readonly roleRefName: string;
  /** The namespaces in which a `Role` is bound; empty for a `ClusterRole`. */
  readonly namespaces: readonly string[];
}

export interface RequestedOrganization {
  readonly name: string;
  readonly account: Omit<CreateClientOrganizationRequest, 'creation'>;
  readonly hubUid: string;
  readonly hubOwner: string;
  readonly permissions: readonly Permission[];
  readonly importClusters: boolean;
  readonly settings: ClusterSettings;
}

const visibilities = ['public', 'limited', 'private'];
const mostPermissions = 100;
/** Names of roles. Texts such as `..` are refused, because they would change the path of a request. */
const roleName = /^(?!\.{1,2}$)[^/%\s]{1,253}$/;

/**
 * Checks a request to create a client organization (open-points 4.1, 4.4).
 * @throws Fault VALIDATION_FAILED, INVALID_VALUE, TOO_MANY_ITEMS
 */
export function requestedOrganization(
  params: ClientOrgParams, runMode: 'prod' | 'dev' | 'test',
): RequestedOrganization {
  const clientOrg = params.clientOrg!;
  const { userName = '', email, permissions: given, importCluster } = params.userPermission!;
  const failed = new Violations();
  noteAccount(failed, clientOrg, runMode);
  failed.refuse();
  refuseTooMany('userPermission.permissions', given, mostPermissions);
  const invalid = new Violations();
  if (!['', 'client'].includes(clientOrg.orgType)) invalid.note('clientOrg.orgType', 'must be empty or client');
  const syncToken = syncTokenOf(clientOrg);
  const managerEndpoint = clientOrg.managerManagementClusterEndPoint;
  if (syncToken !== undefined && managerEndpoint === '') {
    invalid.note('clientOrg.managerManagementClusterEndPoint', 'is required for a sync token');
  }
  invalid.note('hubClusterUID', uuidProblem(params.hubClusterUid!));
  invalid.note('userPermission.userName', slugProblem(userName));
  if (given.length === 0) invalid.note('userPermission.permissions', 'must not be empty');
  const permissions = given.map((one, index) => permissionOf(invalid, `userPermission.permissions[${index}]`, one));
  const settings = requestedSettings(invalid, params, {
    config: params.gatewayConfig, ref: params.gatewayConfigRef, refField: 'gatewayConfigRef',
    usableAsShared: params.usableAsShared,
  });
  invalid.refuse(invalidValue);
  const name = clientOrg.orgName!;
  return {
    name,
    account: {
      name, fullName: clientOrg.orgFullName, description: clientOrg.description, website: clientOrg.website,
      location: clientOrg.location, visibility: clientOrg.visibility === '' ? 'private' : clientOrg.visibility,
      managerEndpoint, syncToken, owner: userName, email,
    },
    hubUid: params.hubClusterUid!.toLowerCase(), hubOwner: params.hubClusterOwnerName!,
    permissions, importClusters: importCluster, settings,
  };
}

/** Notes violations of the rules for accounts (open-points 3.1). The name must also be usable for namespaces. */
function noteAccount(violations: Violations, clientOrg: ClientOrg, runMode: 'prod' | 'dev' | 'test'): void {
  const note = (field: string, problem: string | undefined) => violations.note(`clientOrg.${field}`, problem);
  const { orgName = '', orgFullName, description, website, location, visibility, managerSyncToken } = clientOrg;
  note('orgName', slugProblem(orgName) ?? dnsLabelProblem(orgName) ?? namespaceProblem(orgName));
  note('orgFullName', lengthProblem(orgFullName, { most: 100 }));
  note('description', lengthProblem(description, { most: 255 }));
  note('location', lengthProblem(location, { most: 50 }));
  note('website', webAddressProblem(website, ['http', 'https']));
  note('managerManagementClusterEndPoint', webAddressProblem(
    clientOrg.managerManagementClusterEndPoint, runMode === 'prod' ? ['https'] : ['https', 'http'],
  ));
  if (!['', ...visibilities].includes(visibility)) note('visibility', `must be one of ${visibilities.join(', ')}`);
  if (managerSyncToken === undefined) return;
  const { managerSyncTokenAccessKeyId: id = '', managerSyncTokenSecretAccessKey: secret = '' } = managerSyncToken;
  note('managerSyncToken.managerSyncTokenAccessKeyID', lengthProblem(id, { least: 1, most: 255 }));
  note('managerSyncToken.managerSyncTokenSecretAccessKey', lengthProblem(secret, { least: 1, most: 4_096 }));
}

/**
 * Returns a problem if a path of the API uses the name of a client organization, or if a namespace of another client
 * organization may have the same name. Otherwise, returns undefined.
 */
function namespaceProblem(name: string): string | undefined {
  if (name === 'create' || name === 'delete') return 'is reserved, choose another one';
  const suffix = ['-gw', '-monitoring'].find((one) => name.endsWith(one));
  return suffix === undefined ? undefined : `must not end in ${suffix}`;
}

function syncTokenOf({ managerSyncToken, provideSyncToken }: ClientOrg): ClientSyncToken | undefined {
  if (managerSyncToken === undefined) return provideSyncToken ? { accessKeyId: '', secretAccessKey: '' } : undefined;
  return {
    accessKeyId: managerSyncToken.managerSyncTokenAccessKeyId!,
    secretAccessKey: managerSyncToken.managerSyncTokenSecretAccessKey!,
  };
}

function permissionOf(violations: Violations, path: string, given: UserPermission): Permission {
  const { name = '', isClusterSet, roleType, roleRefName = '', roleRefNamespace: namespaces } = given;
  if (!['', 'ClusterRole', 'Role'].includes(roleType)) violations.note(`${path}.roleType`, 'must be ClusterRole or Role');
  violations.note(`${path}.name`, lengthProblem(name, { least: 1, most: 253 }) ?? controlCharacterProblem(name));
  if (!roleName.test(roleRefName)) {
    const problem = 'must have 1 to 253 characters, without /, % and white space, and must not be . or ..';
    violations.note(`${path}.roleRefName`, problem);
  }
  if (roleType === 'Role' && namespaces.length === 0) {
    violations.note(`${path}.roleRefNamespace`, 'must not be empty for a Role');
  }
  if (namespaces.length > mostPermissions) {
    violations.note(`${path}.roleRefNamespace`, `must have at most ${mostPermissions} items`);
  }
  for (const [index, namespace] of namespaces.entries()) {
    violations.note(`${path}.roleRefNamespace[${index}]`, dnsLabelProblem(namespace));
  }
  return {
    name, isClusterSet, roleType: roleType === 'Role' ? 'Role' : 'ClusterRole', roleRefName,
    namespaces: roleType === 'Role' ? [...new Set(namespaces)] : [],
  };
}
