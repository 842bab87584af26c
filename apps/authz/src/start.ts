import { ClusterOwnerServiceService } from '@platform/proto/clusters/v1/owners';
import { ContractOwnerServiceService } from '@platform/proto/contracts/v1/owners';
import { AuthorizationServiceService } from '@platform/proto/authz/v1/authorization';
import { DecisionServiceService } from '@platform/proto/authz/v1/decision';
import { IdentityServiceService } from '@platform/proto/orgs/v1/identity';
import {
  connect, implement, openGuard, openPeers, openRateLimiter, openRpc, type Peers, type RpcClient,
} from '@platform/rpc';
import { deadlineIn, type Logger, openService, repeatUntil, type RunningService } from '@platform/service';
import type { AuthzConfig } from './config.ts';
import { EngineError, type EngineFailure } from './engine/engine-error.ts';
import { createEngine, type Engine } from './engine/engine.ts';
import { readModel } from './engine/model.ts';
import type { OwnerSources } from './owner-sources.ts';
import { askGrounds } from './rpc/ask-grounds.ts';
import { getAllowedPermissions } from './rpc/get-allowed-permissions.ts';
import { getModel } from './rpc/get-model.ts';
import { listAllowedPermissions } from './rpc/list-allowed-permissions.ts';
import { listAvailablePermissions } from './rpc/list-available-permissions.ts';
import { readTuples } from './rpc/read-tuples.ts';
import { writeTuples } from './rpc/write-tuples.ts';

/** How long one attempt to bring the store and model into force may take. */
const establishMs = 10_000;

/** Wires and starts authz: waits for the engine, brings the model into force, then serves. */
export function start(config: AuthzConfig, stopping: AbortSignal): Promise<RunningService> {
  return openService('authz', config, stopping, async (service) => {
    const { log, metrics, readiness, stack } = service;
    const engine = createEngine({
      url: config.openfgaUrl, presharedKey: config.presharedKey, storeName: config.storeName, model: readModel(), log,
      metrics,
    });
    readiness.needs('OpenFGA', (deadline) => engine.probe(deadline));
    await waitFor(engine, log, stopping);

    const peers = await openPeers(service, config);
    const orgs = stack.use(connect(IdentityServiceService, {
      ...peers, name: 'orgs-teams', addresses: config.orgsTeams,
    }));
    const ask = askGrounds(engine);
    const guard = openGuard(service, config, {
      standing: orgs.getStanding, settle: orgs.settle, reportLostStore: orgs.reportLostStore, ask, objects: {},
    });
    const objects = { guard, standing: orgs.getStanding, owners: ownerSources(config, peers, orgs, stack) };
    const services = [
      implement(DecisionServiceService, {
        askGrounds: ask,
        readTuples: readTuples(engine),
        writeTuples: writeTuples(engine),
        getModel: getModel(engine),
      }),
      implement(AuthorizationServiceService, {
        getAllowedPermissions: getAllowedPermissions(objects),
        listAllowedPermissions: listAllowedPermissions(objects),
        listAvailablePermissions,
      }),
    ];
    return openRpc(service, config, { ...peers, guard, services, rateLimiter: openRateLimiter(service, config) });
  });
}

const hopeless: ReadonlySet<EngineFailure> = new Set(['key refused', 'nonsense']);

/** Tries until the engine answers, or until it need not. A key it does not take is no matter of waiting. */
async function waitFor(engine: Engine, log: Logger, stopping: AbortSignal): Promise<void> {
  await repeatUntil(() => engine.established(deadlineIn(establishMs, stopping)), {
    first: 50,
    most: 1_000,
    signal: stopping,
    again: (error) => !(error instanceof EngineError && hopeless.has(error.failure)),
    failed: (error, attempt) => log.warn({ attempt, error }, 'waiting for the authorization engine'),
  });
}

/** Who knows the owners of which objects. Services that are not configured are left out (see OwnerSources). */
function ownerSources(
  config: AuthzConfig, peers: Peers, orgs: RpcClient<typeof IdentityServiceService>, held: AsyncDisposableStack,
): OwnerSources {
  const clusters = config.clusters && held.use(connect(ClusterOwnerServiceService, {
    ...peers, name: 'clusters', addresses: config.clusters,
  }));
  const contracts = config.contractsLicensing && held.use(connect(ContractOwnerServiceService, {
    ...peers, name: 'contracts-licensing', addresses: config.contractsLicensing,
  }));
  return {
    team: orgs.resolveOwners,
    token: orgs.resolveOwners,
    robot_ac: orgs.resolveOwners,
    ...(clusters && { cluster: clusters.resolveOwners }),
    ...(contracts && { contract: contracts.resolveOwners }),
  };
}
