import { DecisionServiceService } from '@platform/proto/authz/v1/decision';
import { IdentityServiceService } from '@platform/proto/orgs/v1/identity';
import type { OwnerServiceService } from '@platform/proto/owners/v1/owners';
import { connect, type PeerOptions, type RpcClient } from '../client/client.ts';
import { type GuardSources, type ObjectOwner, objectsById, type ObjectSource } from './guard-sources.ts';

interface RemoteSourcesOptions extends PeerOptions {
  /** `host:port` of each replica of orgs-teams, which resolves callers. */
  orgsTeams: readonly string[];
  /** `host:port` of each replica of authz, which asks the authorization engine. authz itself passes a function. */
  authz: readonly string[] | GuardSources['ask'];
  /**
   * Sources of objects, by type of the authorization model. {@link ownersOf} creates the source for a type of another
   * service.
   */
  objects: GuardSources['objects'];
  knownObjects?: GuardSources['knownObjects'];
}

/**
 * Creates the sources for the guard of a service other than orgs-teams. The sources connect at the first call, so
 * orgs-teams and authz need not run yet. Disposing closes the connections.
 */
export function remoteSources(options: RemoteSourcesOptions): GuardSources & AsyncDisposable {
  const { surface, serviceCredential, tls, objects, knownObjects } = options;
  const peers = { surface, serviceCredential, tls };
  const identity = connect(IdentityServiceService, { ...peers, name: 'orgs-teams', addresses: options.orgsTeams });
  const decisions = typeof options.authz === 'function'
    ? { askGrounds: options.authz, [Symbol.asyncDispose]: async () => undefined }
    : connect(DecisionServiceService, { ...peers, name: 'authz', addresses: options.authz });
  return {
    standing: identity.getStanding,
    known: knownStanding(identity),
    settle: identity.settle,
    reportLostStore: identity.reportLostStore,
    ask: decisions.askGrounds,
    objects,
    ...(knownObjects && { knownObjects }),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([identity[Symbol.asyncDispose](), decisions[Symbol.asyncDispose]()]);
    },
  };
}

/** Creates the source {@link GuardSources.known}. It asks orgs-teams, which may answer from memory. */
export function knownStanding(
  { getStanding }: Pick<RpcClient<typeof IdentityServiceService>, 'getStanding'>,
): Required<GuardSources>['known'] {
  return (request, call) => getStanding({ ...request, mayBeKept: true }, call);
}

/** Creates a source that finds objects of another service by id, for {@link GuardSources.objects}. */
export function ownersOf(
  client: Pick<RpcClient<typeof OwnerServiceService>, 'resolveOwners'>, type: string,
): ObjectSource {
  return objectsById(async (ids, call) => {
    const { owners } = await client.resolveOwners({ type, ids: [...ids] }, call);
    return new Map(owners.map(({ id, ownerId, teamId, isOwnersTeam }): [number, ObjectOwner] => [
      id, teamId === 0 ? { ownerId } : { ownerId, teamId, isOwnersTeam },
    ]));
  });
}
