import { Fault } from '@platform/faults';
import type {
  AddClusterParams, ClientOrganizationServiceService,
} from '@platform/proto/clusters/v1/client_organization';
import type { Handler } from '@platform/rpc';
import { shrink } from '@platform/service';
import { conflict, invalidValue, Violations } from '@platform/values';
import { repeatedRequest, type WriteContext } from '@platform/writes';
import type { Parts } from '../parts.ts';
import { findHub, hubMs, refuseUnknownMonitoring } from './create-client-organization.ts';
import { clientNotFound } from './delete-client-organization.ts';
import { chooseGateway } from './gateways.ts';
import { refuseAnotherHub } from './named-hub.ts';
import { type ClusterSettings, requestedSettings } from './requested-settings.ts';
import { chooseSpokes, type ChosenSpoke, examineSpokes, readSpokes, type SpokeIndex } from './spokes.ts';
import { type ClientRow, type ClientState, findClientNamed, lockClient } from './store.ts';
import { type ClusterState, importClusters, putClientClusters, readClusterState } from './cluster-store.ts';
import { advanceClient } from './task.ts';

/** POST /user/client/{orgname}/add-cluster (spec §4.2, open-points 4.4). */
export function addClientCluster(parts: Parts): Handler<typeof ClientOrganizationServiceService.addClientCluster> {
  const { config, database, sealer, write } = parts;
  return async ({ orgname, params }, context) => {
    const settings = settingsOf(params!);
    const spoke = params!.spokeClusterName!;
    const client = await findClientNamed(database, orgname, context.deadline);
    if (client === undefined) throw clientNotFound();
    const request = repeatedRequest(context);
    const known = await readClusterState(database, client.id, spoke);
    if (known?.state === 'active' && known.request === request) return organizationOf(parts, client, context);
    refuseState(client.state, known?.state);
    await refuseAnotherHub(parts, client, params!, context);
    const hub = await findHub(parts, { uid: client.hub.uid, ownerName: params!.hubClusterOwnerName! }, context);
    await refuseUnknownMonitoring(parts, settings, hub.ownerId, context);
    const deadline = shrink(context.deadline, hubMs);
    const chosen = chooseSpoke(await readSpokes(hub, deadline), client, spoke, hub.name);
    await hub.confirm();
    const spokes = await examineSpokes(hub, config.labelsDomain, client.name, settings, [chosen], deadline);
    await write(context, [], async (work) => {
      const now = await lockClient(work, client.id);
      if (now === undefined || now.state === 'deleted') throw clientNotFound();
      refuseState(now.state, (await readClusterState(work, client.id, spoke))?.state);
      const gateway = await chooseGateway(work, client.hub, [spoke], settings.gateway, config.defaultPreset);
      await putClientClusters(work, { sealer, domain: config.labelsDomain, request, gateway }, client.id, spokes);
      await importClusters(work, client.id, client.organizationId!, client.hub);
      work.audit({
        action: 'client_organization.add_cluster', object: `client_organization:${client.id}`,
        organizationId: client.organizationId!, details: { cluster: spoke },
      });
      work.effect(advanceClient({ id: client.id }, { key: `client ${client.id}` }));
    });
    return organizationOf(parts, client, context);
  };
}

async function organizationOf({ clientAccounts }: Parts, { creation }: ClientRow, context: WriteContext) {
  const { organization } = await clientAccounts.settleClientOrganization({ creation }, context);
  // The organization was deleted meanwhile.
  if (organization === undefined) throw clientNotFound();
  return organization;
}

/** @throws Fault INVALID_VALUE */
function settingsOf(params: AddClusterParams): ClusterSettings {
  const violations = new Violations();
  const settings = requestedSettings(violations, params, {
    config: params.gatewayConfig, ref: params.gatewayPresetRef, refField: 'gatewayPresetRef', usableAsShared: false,
  });
  violations.refuse(invalidValue);
  return settings;
}

/**
 * @throws Fault CONFLICT while the organization or its resources on the spoke are being deleted; ALREADY_IMPORTED if
 *   the organization has the spoke
 */
function refuseState(client: ClientState, cluster: ClusterState | undefined): void {
  if (client !== 'active') throw conflict('this client organization is being deleted');
  if (cluster === 'deleting') throw conflict('resources of the organization on this cluster are still being deleted');
  if (cluster === 'active') throw new Fault('ALREADY_IMPORTED', 'the client organization has this cluster already');
}

/**
 * Returns the spoke with its permissions: the permissions of the organization that name the spoke or one of its sets.
 * If there are none, the spoke gets all permissions of the organization.
 * @throws Fault INVALID_VALUE, for example if the spoke has not joined the hub or has the name of the hub
 */
function chooseSpoke(index: SpokeIndex, { permissions }: ClientRow, spoke: string, hubName: string): ChosenSpoke {
  const cluster = index.clusters.get(spoke);
  const refuse = (message: string) => invalidValue([{ path: 'spokeClusterName', message }]);
  if (cluster === undefined) throw refuse('is not the name of a cluster that has joined the hub');
  if (spoke === hubName) throw refuse('is also the name of the hub');
  const known = permissions.filter(({ name, isClusterSet }) =>
    (isClusterSet ? index.sets.has(name) : index.clusters.has(name)));
  const named = chooseSpokes(index, known, hubName).find((one) => one.cluster === cluster);
  return named ?? { cluster, permissions };
}
