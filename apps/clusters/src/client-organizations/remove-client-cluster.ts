import { notFound } from '@platform/faults';
import type { ClientOrganizationServiceService } from '@platform/proto/clusters/v1/client_organization';
import type { Handler } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { clientNotFound } from './delete-client-organization.ts';
import { refuseGatewayInUse } from './gateways.ts';
import { refuseAnotherHub } from './named-hub.ts';
import { findClientNamed, lockClient } from './store.ts';
import { readClusterState, setClusterDeleting } from './cluster-store.ts';
import { advanceClient } from './task.ts';

/** POST /user/client/{orgname}/delete-cluster (spec §4.2, open-points 4.4). Does not call the hub. */
export function removeClientCluster(
  parts: Parts,
): Handler<typeof ClientOrganizationServiceService.removeClientCluster> {
  const { database, write } = parts;
  return async ({ orgname, params }, context) => {
    const spoke = params!.spokeClusterName!;
    const client = await findClientNamed(database, orgname, context.deadline);
    if (client === undefined) throw clientNotFound();
    await refuseAnotherHub(parts, client, params!, context);
    await write(context, [], async (work) => {
      if (await lockClient(work, client.id) === undefined) throw clientNotFound();
      const state = (await readClusterState(work, client.id, spoke))?.state;
      if (state === undefined || state === 'deleted') {
        throw notFound('the client organization does not have this cluster');
      }
      if (state === 'deleting') return;
      await refuseGatewayInUse(work, client.id, spoke);
      await setClusterDeleting(work, client.id, spoke);
      work.audit({
        action: 'client_organization.remove_cluster', object: `client_organization:${client.id}`,
        organizationId: client.organizationId!, details: { cluster: spoke },
      });
      work.effect(advanceClient({ id: client.id }, { key: `client ${client.id}` }));
    });
    return {};
  };
}
