import { randomUUID } from 'node:crypto';
import { ownBus } from '@platform/testing';
import { bind, type ContractWorld, startContractWorld } from '../../src/contracts/contract-world.ts';
import type { Organization, Person } from '../../src/orgs/world.ts';

/** An organization whose owner requests licences through two gateways from two replicas of contracts-licensing. */
export interface LicenceWorld {
  readonly world: ContractWorld;
  readonly acme: Organization;
  /** Calls `POST /license/issue` through the gateways in turn, and returns status and licence. */
  issue(cluster: string): Promise<{ readonly status: number; readonly license: string | undefined }>;
  /** A contract with this many clusters. */
  contractWith(clusters: number, given?: object): Promise<{ readonly id: number; readonly clusters: string[] }>;
}

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
  return {
    world,
    acme,
    issue: async (cluster) => {
      const http = clients[(asked += 1) % clients.length]!;
      const answer = await http.post(`/api/v1/license/issue?org=${acme.username}`, { json: { cluster } });
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
