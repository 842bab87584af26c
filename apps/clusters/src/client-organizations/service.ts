import { ClientOrganizationServiceService } from '@platform/proto/clusters/v1/client_organization';
import { implement, type Implementation } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { addClientCluster } from './add-client-cluster.ts';
import { createClientOrganization } from './create-client-organization.ts';
import { deleteClientOrganization } from './delete-client-organization.ts';
import { getClientClusterStatus, getClientOrganizationStatus } from './get-status.ts';
import { removeClientCluster } from './remove-client-cluster.ts';

export function clientOrganizationService(parts: Parts): Implementation {
  return implement(ClientOrganizationServiceService, {
    getClientOrganizationStatus: getClientOrganizationStatus(parts),
    getClientClusterStatus: getClientClusterStatus(parts),
    createClientOrganization: createClientOrganization(parts),
    addClientCluster: addClientCluster(parts),
    removeClientCluster: removeClientCluster(parts),
    deleteClientOrganization: deleteClientOrganization(parts),
  });
}
