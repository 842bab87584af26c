import type { Fault } from '@platform/faults';
import { type CallerOptions, encodeFault, openReplicas, type RepeatKey, type Replicas, wire } from '@platform/rpc';
import type { Deadline } from '@platform/service';
import type { Method } from '@platform/surface';
import type { ParameterFaults } from './endpoint/parameters.ts';

/** The services behind a REST server. The host of a method (`controlplane.host`) is the name of its service. */
export interface Upstream extends AsyncDisposable {
  /** @throws Error if the method's service has no address */
  replicasFor(method: Method): Replicas;
  replicaStates(deadline: Deadline): Promise<readonly ReplicaState[]>;
}

interface ReplicaState {
  readonly name: string;
  /** `host:port` of the replica's gRPC server. */
  readonly address: string;
  readonly state: 'up' | 'away';
}

/** @param addresses of the replicas of each service, by the name of the service (`orgs-teams`) */
export function openUpstream(addresses: ReadonlyMap<string, readonly string[]>, options: CallerOptions): Upstream {
  const services = new Map([...addresses].map(([host, replicas]) => [host, openReplicas(host, replicas, options)]));
  return {
    replicasFor: ({ hosts: [host], fullName }) => {
      const replicas = services.get(host!);
      if (!replicas) throw new Error(`${fullName} is served by ${host}, which has no configured address`);
      return replicas;
    },
    replicaStates: async (deadline) => {
      const asked = [...services].map(async ([name, replicas]) =>
        (await replicas.probe(deadline)).map(({ address, serves }): ReplicaState =>
          ({ name, address, state: serves ? 'up' : 'away' })));
      return (await Promise.all(asked)).flat();
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...services.values()].map((replicas) => replicas[Symbol.asyncDispose]()));
    },
  };
}

export interface CallFacts {
  readonly token: string | undefined;
  readonly sourceAddress: string;
  readonly parameterFault: ParameterFaults['access'];
  readonly bodyFault: Fault | undefined;
  /** How many requests the call counts as in the rate limit. The service counts the values of a batch itself. */
  readonly countsAs: number;
  readonly repeat?: RepeatKey | undefined;
}

/**
 * Returns the metadata of a call. The metadata contains the faults of the request, because the guard of the service
 * must check the token before it refuses the call for a fault (open-points 1.5).
 */
export function callEntries(facts: CallFacts): [string, string | Buffer][] {
  const entries: [string, string | Buffer][] = [[wire.sourceAddress, facts.sourceAddress]];
  if (facts.token !== undefined) entries.push([wire.authorization, `Bearer ${facts.token}`]);
  if (facts.parameterFault) entries.push([wire.parameterFault, encodeFault(facts.parameterFault)]);
  if (facts.bodyFault) entries.push([wire.bodyFault, encodeFault(facts.bodyFault)]);
  entries.push([wire.countsAs, String(facts.countsAs)], [wire.countsValues, 'yes']);
  if (facts.repeat) entries.push([wire.repeatKey, facts.repeat.key], [wire.repeatBody, facts.repeat.body]);
  return entries;
}
