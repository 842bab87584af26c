import { randomUUID } from 'node:crypto';
import { type HttpAnswer, ownBus } from '@platform/testing';
import { bind, type ContractWorld, startContractWorld } from '../../src/contracts/contract-world.ts';
import type { Organization, Person } from '../../src/orgs/world.ts';

/** An organization whose owner requests licences through two gateways from two replicas of contracts-licensing. */
export interface LicenceWorld {
  readonly world: ContractWorld;
  readonly acme: Organization;
  /**
   * Repeats a call as long as its answer asks for that, at most 20 times, and returns the last answer. On a busy
   * machine, some calls wait too long for a row that other calls lock, or for the bus.
   */
  repeated(call: () => Promise<HttpAnswer>): Promise<HttpAnswer>;
  /** Returns how many times `repeated` has repeated a call. */
  repeats(): number;
  /** Calls `POST /license/issue` through the gateways in turn, with `repeated`, and returns status and licence. */
  issue(cluster: string): Promise<{ readonly status: number; readonly license: string | undefined }>;
  /** A contract with this many clusters. */
  contractWith(clusters: number, given?: object): Promise<{ readonly id: number; readonly clusters: string[] }>;
}

/** Statuses that ask the caller to repeat the call. */
const repeatable = [409, 503];
const mostTries = 20;

export async function startLicenceWorld(): Promise<LicenceWorld> {
  // A registration makes credentials at the bus.
  const bus = await ownBus();
  const world = await startContractWorld({
    replicas: { 'contracts-licensing': 2, gateway: 2 },
    settings: { 'rateLimit.enabled': 'false', ...bus.settings },
  });
  const owner: Person = await world.person();
  const acme = await world.organization(owner);
  const clients = world.platform.gateways.map((gateway) => gateway.with({ authorization: `token ${owner.token}` }));
  let asked = 0;
  let repeats = 0;
  const repeated: LicenceWorld['repeated'] = async (call) => {
    for (let tries = 1; ; tries += 1) {
      const answer = await call();
      if (!repeatable.includes(answer.status) || tries === mostTries) return answer;
      repeats += 1;
    }
  };
  return {
    world,
    acme,
    repeated,
    repeats: () => repeats,
    issue: async (cluster) => {
      const answer = await repeated(() => {
        const http = clients[(asked += 1) % clients.length]!;
        return http.post(`/api/v1/license/issue?org=${acme.username}`, { json: { cluster } });
      });
      const license = answer.status === 200 ? answer.json<{ license: string }>().license : undefined;
      return { status: answer.status, license };
    },
    contractWith: async (count, given = {}) => {
      const clusters = Array.from({ length: count }, () => randomUUID());
      const { id } = await world.contract(acme.id, given as Readonly<Record<string, unknown>>);
      if (count > 0) await bind(world.siteAdmin.http, id, clusters.map((cluster) => ({ cluster })));
      return { id, clusters };
    },
  };
}
