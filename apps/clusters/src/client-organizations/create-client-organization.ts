import { randomUUID } from 'node:crypto';
import { UniqueViolation } from '@platform/postgres';
import type { ClientOrganizationServiceService } from '@platform/proto/clusters/v1/client_organization';
import type { Organization } from '@platform/proto/orgs/v1/organization';
import type { Handler } from '@platform/rpc';
import { deadlineIn, shrink } from '@platform/service';
import { conflict, invalidValue, nameTaken } from '@platform/values';
import { repeatedRequest, type WriteContext } from '@platform/writes';
import type { ImportedHub } from '../hubs/hubs.ts';
import type { Parts } from '../parts.ts';
import { findClusterNamed } from '../registry/store.ts';
import { finishCreation } from './advance.ts';
import { chooseGateway } from './gateways.ts';
import { type RequestedOrganization, requestedOrganization } from './requested-organization.ts';
import type { ClusterSettings } from './requested-settings.ts';
import { chooseSpokes, examineSpokes, readSpokes } from './spokes.ts';
import { type ClientRow, deleteClient, findClientRequested, insertClient } from './store.ts';
import { type NewClientCluster, putClientClusters } from './cluster-store.ts';
import { advanceClient } from './task.ts';

/** Time limit for examining a hub and its spokes, in milliseconds (open-points 4.2). */
export const hubMs = 10_000;
/**
 * Delay before the job completes or undoes an unfinished creation, in milliseconds. It is longer than `accountMs`,
 * the time limit for the creation of the account.
 */
const cutOffMs = 15_000;
const accountMs = 10_000;

/**
 * POST /user/client/create (spec §4.2, open-points 4). Examines the hub, stores the wanted state, lets orgs-teams
 * create the account, and imports the clusters. The call to orgs-teams contains the id of the creation. If the call
 * fails, the handler or a job asks orgs-teams for the outcome of the creation with this id. The outcome is then final.
 * So there is one organization or none (ADR 0129).
 */
export function createClientOrganization(
  parts: Parts,
): Handler<typeof ClientOrganizationServiceService.createClientOrganization> {
  const { accounts, config, database } = parts;
  return async ({ params }, context) => {
    const requested = requestedOrganization(params!, config.runMode);
    const begun = await goOn(parts, context);
    if (begun !== undefined) return begun;
    const hub = await findHub(parts, { uid: requested.hubUid, ownerName: requested.hubOwner }, context);
    await refuseUnknownMonitoring(parts, requested.settings, hub.ownerId, context);
    if (await accounts.byName(requested.name, context) !== undefined) throw nameTaken(requested.name);
    const spokes = await examine(parts, requested, hub, context).catch(async (error: unknown) => {
      // Meanwhile, another request may have created an organization of this name and the namespaces for it.
      if (await accounts.byName(requested.name, context) !== undefined) throw nameTaken(requested.name, error);
      throw error;
    });
    const client = await store(parts, requested, hub, spokes, context);
    const organization = await createAccount(parts, requested, client, context);
    await finishCreation(database, client.id, organization.id);
    return organization;
  };
}

/**
 * Returns the organization that an earlier attempt of the same request created, or undefined. Deletes the row of the
 * attempt if orgs-teams has not created the account. @throws Fault CONFLICT if the organization was deleted since then
 */
async function goOn({ clientAccounts, database }: Parts, context: WriteContext): Promise<Organization | undefined> {
  const request = repeatedRequest(context);
  const begun = request && await findClientRequested(database, request, context.deadline);
  if (!begun) return undefined;
  const { id, creation, state } = begun;
  const { organization } = await clientAccounts.settleClientOrganization({ creation }, context);
  if (organization === undefined && state !== 'creating') throw conflict('the organization was created, then deleted');
  if (organization === undefined) await deleteClient(database, id);
  else await finishCreation(database, id, organization.id);
  return organization;
}

/** Finds a hub by its UID and the name of its owner. @throws Fault INVALID_VALUE */
export async function findHub(
  { accounts, hubs }: Parts, { uid, ownerName }: { uid: string; ownerName: string }, context: WriteContext,
): Promise<ImportedHub> {
  const owner = await accounts.byName(ownerName, context);
  const hub = owner && await hubs.imported({ ownerId: owner.id, uid }, context);
  if (hub === undefined) {
    const message = 'is not the UID of a hub that the given owner has imported';
    throw invalidValue([{ path: 'hubClusterUID', message }]);
  }
  return hub;
}

/** @throws Fault INVALID_VALUE */
export async function refuseUnknownMonitoring(
  { database }: Parts, { telemetry }: ClusterSettings, ownerId: number, context: WriteContext,
): Promise<void> {
  const name = telemetry?.monitoringCluster;
  if (name === undefined || await findClusterNamed(database, ownerId, name, context.deadline) !== undefined) return;
  const message = 'is not the name of a cluster that the owner of the hub has imported';
  throw invalidValue([{ path: 'telemetryParams.monitoringClusterName', message }]);
}

async function examine({ config }: Parts, requested: RequestedOrganization, hub: ImportedHub, context: WriteContext) {
  const deadline = shrink(context.deadline, hubMs);
  const chosen = chooseSpokes(await readSpokes(hub, deadline), requested.permissions, hub.name);
  if (!requested.importClusters) return [];
  await hub.confirm();
  return await examineSpokes(hub, config.labelsDomain, requested.name, requested.settings, chosen, deadline);
}

/**
 * Stores the wanted state of a client organization, before orgs-teams creates its account.
 * @throws Fault ALREADY_EXISTS for the name, INVALID_VALUE for the gateway
 */
async function store(
  { config, sealer, write }: Parts, requested: RequestedOrganization, { ownerId, uid }: ImportedHub,
  spokes: readonly NewClientCluster[], context: WriteContext,
): Promise<ClientRow> {
  const { name, permissions, settings } = requested;
  const hub = { ownerId, uid };
  return await write(context, [], async (work) => {
    const names = spokes.map((spoke) => spoke.name);
    const gateway = await chooseGateway(work, hub, names, settings.gateway, config.defaultPreset);
    const request = repeatedRequest(context);
    const client = await insertClient(work, { creation: randomUUID(), request, name, hub, permissions });
    await putClientClusters(work, { sealer, domain: config.labelsDomain, request, gateway }, client.id, spokes);
    work.audit({ action: 'client_organization.create', object: `client_organization:${client.id}`, details: { name } });
    work.effect(advanceClient({ id: client.id }, { key: `create ${client.id}`, afterMs: cutOffMs }));
    return client;
  }).catch((error: unknown) => {
    if (!(error instanceof UniqueViolation) || error.constraint !== 'client_organization_name') throw error;
    throw nameTaken(name, error);
  });
}

/**
 * Lets orgs-teams create the account. If the call fails, asks orgs-teams for the outcome. If no account was created,
 * deletes the row of the client organization. If the outcome stays unknown, the row remains, and the job of
 * {@link advanceClient} completes or undoes the creation.
 * @throws the errors of orgs-teams
 */
async function createAccount(
  { clientAccounts, database }: Parts, { account }: RequestedOrganization, { id, creation }: ClientRow,
  context: WriteContext,
): Promise<Organization> {
  try {
    const call = { ...context, deadline: shrink(context.deadline, accountMs) };
    return await clientAccounts.createClientOrganization({ ...account, creation }, call);
  } catch (error) {
    const call = { ...context, cancelled: undefined, deadline: deadlineIn(5_000) };
    const { organization } = await clientAccounts.settleClientOrganization({ creation }, call);
    if (organization !== undefined) return organization;
    await deleteClient(database, id);
    throw error;
  }
}
