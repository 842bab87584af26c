import { IdentityServiceService } from '@platform/proto/orgs/v1/identity';
import {
  connect, connectOwners, knownStanding, openGuard, openPeers, openRateLimiter, openRpc, type OwnerPeer, type RpcClient,
  rpcPicks,
} from '@platform/rpc';
import {
  addressesOf, addressPicks, type Config, deadlineIn, repeatUntil, servicePicks, type Start,
} from '@platform/service';
import { EngineError, type EngineFailure } from './engine/engine-error.ts';
import { createEngine, establishMs } from './engine/engine.ts';
import { readModel } from './engine/model.ts';
import { methods } from './methods.ts';
import type { OwnerSources } from './owner-sources.ts';
import { askGrounds } from './decisions/ask-grounds.ts';

export const picks = {
  ...servicePicks,
  ...rpcPicks,
  ...addressPicks,
  orgsTeams: 'services.orgsTeams',
  openfgaUrl: 'openfga.url',
  presharedKey: 'openfga.presharedKey',
  storeName: 'openfga.storeName',
} as const;

const hopeless: ReadonlySet<EngineFailure> = new Set(['key refused', 'nonsense']);

/**
 * Waits until the engine has the store and the model, then serves. The failures `key refused` and `nonsense` end the
 * wait, and the start fails.
 */
export const start: Start<Config<typeof picks>> = async (service, config) => {
  const { log, metrics, readiness, stack, stopping } = service;
  const engine = createEngine({
    url: config.openfgaUrl, presharedKey: config.presharedKey, storeName: config.storeName, model: readModel(), log,
    metrics,
  });
  readiness.needs('OpenFGA', (deadline) => engine.probe(deadline));
  await repeatUntil(() => engine.established(deadlineIn(establishMs, stopping)), {
    first: 50,
    most: 1_000,
    signal: stopping,
    again: (error) => !(error instanceof EngineError && hopeless.has(error.failure)),
    failed: (error, attempt) => log.warn({ attempt, error }, 'waiting for the authorization engine'),
  });

  const peers = await openPeers(service, config);
  const orgsTeams = { ...peers, name: 'orgs-teams', addresses: config.orgsTeams };
  const orgs = stack.use(connect(IdentityServiceService, orgsTeams));
  const ask = askGrounds(engine);
  const guard = openGuard(service, config, {
    standing: orgs.getStanding, known: knownStanding(orgs), settle: orgs.settle,
    reportLostStore: orgs.reportLostStore, ask, objects: {},
  });
  const owners = ownerSources(orgs, connectOwners(peers, addressesOf(config), stack));
  const services = methods(engine, ask, { guard, standing: orgs.getStanding, owners });
  return openRpc(service, config, { ...peers, guard, services, rateLimiter: openRateLimiter(service, config) });
};

function ownerSources(orgs: RpcClient<typeof IdentityServiceService>, owners: readonly OwnerPeer[]): OwnerSources {
  const own = ['team', 'token', 'robot_ac'].map((type) => [type, orgs.resolveOwners] as const);
  const others = owners.flatMap(({ types, resolveOwners }) => types.map((type) => [type, resolveOwners] as const));
  return Object.fromEntries([...own, ...others]);
}
