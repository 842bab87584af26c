import { connect, type Database, sql } from '@platform/postgres';
import type { World } from '../orgs/world.ts';
import { byId, type ChangingList, type MakeList } from './changing-lists.ts';

/** An organization that owns contracts, and the rows of contracts-licensing. */
interface Owner {
  readonly id: number;
  readonly username: string;
  readonly rows: Database;
}

const connections = new WeakMap<World, Database>();

async function ownerOf(world: World): Promise<Owner> {
  const { url, schema } = world.platform.databases['contracts-licensing'];
  const rows = connections.get(world) ?? connect({ url, schema, applicationName: 'spec', maxConnections: 5 });
  connections.set(world, rows);
  const { id, username } = await world.organization(world.siteAdmin);
  return { id, username, rows };
}

const contracts = (ownerId: number, ids: readonly number[]) => sql`
  insert into contract (id, owner_id, name, product, features, starts_at, ends_at, allow_offline) overriding system value
  select one, ${ownerId}::bigint, 'contract', 'platform', '{platform}', now() - interval '1 day',
         now() + interval '1 year', true
    from unnest(${ids}::bigint[]) one`;

/** A list whose rows are contracts of an organization. */
function contractsAt(address: (owner: Owner) => string): MakeList {
  return async (world) => {
    const owner = await ownerOf(world);
    const { id, rows } = owner;
    return byId(address(owner), {
      put: (ids) => rows.execute(contracts(id, ids)),
      take: (ids) => rows.execute(sql`delete from contract where id = any (${ids})`),
    });
  };
}

/** One contract of a new organization: its id is far beyond those of lists. */
let singles = 5_000_000_000_000;

async function contractOf(world: World): Promise<Owner & { readonly contractId: number }> {
  const owner = await ownerOf(world);
  const contractId = (singles += 1);
  await owner.rows.execute(contracts(owner.id, [contractId]));
  return { ...owner, contractId };
}

type OneContract = Owner & { readonly contractId: number };

function bindingsAt(address: (owner: OneContract) => string): MakeList {
  return async (world) => {
    const owner = await contractOf(world);
    return byId(address(owner), {
      put: (ids) => owner.rows.execute(sql`
        insert into contract_cluster (id, contract_id, cluster_uid) overriding system value
        select one, ${owner.contractId}::bigint, gen_random_uuid() from unnest(${ids}::bigint[]) one`),
      take: (ids) => owner.rows.execute(sql`delete from contract_cluster where id = any (${ids})`),
    });
  };
}

function eventsAt(address: (owner: OneContract) => string): MakeList {
  return async (world) => {
    const owner = await contractOf(world);
    return byId(address(owner), {
      put: (ids) => owner.rows.execute(sql`
        insert into contract_event (id, contract_id, event, added_by) overriding system value
        select one, ${owner.contractId}::bigint, 'contract.updated', 'spec' from unnest(${ids}::bigint[]) one`),
      take: (ids) => owner.rows.execute(sql`delete from contract_event where id = any (${ids})`),
    });
  };
}

function importableAt(address: (owner: OneContract) => string): MakeList {
  return async (world) => {
    const owner = await contractOf(world);
    return byId(address(owner), {
      put: (ids) => owner.rows.execute(sql`
        insert into imported_cluster (id, owner_id, uid, name, display_name, imported_at)
        select one, ${owner.id}::bigint, gen_random_uuid(), 'cluster', '', now() from unnest(${ids}::bigint[]) one`),
      take: (ids) => owner.rows.execute(sql`delete from imported_cluster where id = any (${ids})`),
    });
  };
}

/** Clusters of all active contracts, by UID. */
async function associated(world: World): Promise<ChangingList> {
  const { contractId, username, rows } = await contractOf(world);
  const key = (candidate: number) => `00000000-0000-4000-8000-${candidate.toString(16).padStart(12, '0')}`;
  return {
    address: `/api/v1/user/contracts/active/associated-clusters?org=${username}`,
    keyOf: ({ cluster }: { cluster: string }) => cluster,
    key,
    put: (candidates) => rows.execute(sql`
      insert into contract_cluster (contract_id, cluster_uid)
      select ${contractId}::bigint, uid from unnest(${candidates.map(key)}::uuid[]) uid`),
    take: (candidates) => rows.execute(sql`
      delete from contract_cluster
       where contract_id = ${contractId} and cluster_uid = any (${candidates.map(key)}::uuid[])`),
  };
}

/** Contracts to which one cluster is bound; candidates are existing contracts that are bound and released. */
async function ofCluster(world: World, candidates: number): Promise<ChangingList> {
  const { id, username, rows } = await ownerOf(world);
  const uid = '1b671a64-40d5-491e-99b0-da01ff1f3341';
  return byId(
    `/api/v1/user/contracts/active/associated-with/clusters/${uid}?org=${username}`,
    {
      prepare: (ids) => rows.execute(contracts(id, ids)),
      put: (ids) => rows.execute(sql`
        insert into contract_cluster (contract_id, cluster_uid)
        select one, ${uid}::uuid from unnest(${ids}::bigint[]) one`),
      take: (ids) => rows.execute(sql`delete from contract_cluster where contract_id = any (${ids})`),
    },
    { candidates },
  );
}

const nowhere = '9d3f0a52-6c1e-4b7a-8f21-3d5e6f708192';

/** The lists of contracts, by method. */
export const changingContractLists: Readonly<Record<string, MakeList>> = {
  'controlplane.contracts.v1.ContractService.ListContracts': contractsAt(({ username }) => `/api/v1/contracts?org=${username}`),
  'controlplane.contracts.v1.UserContractService.ListUserContracts':
    contractsAt(({ username }) => `/api/v1/user/contracts?org=${username}`),
  'controlplane.contracts.v1.UserContractService.ListActiveOfflineContracts':
    contractsAt(({ username }) => `/api/v1/user/contracts/active-offline-contracts?org=${username}`),
  'controlplane.contracts.v1.UserContractService.ListOtherContracts':
    contractsAt(({ username }) => `/api/v1/user/contracts/active/not-associated-with/clusters/${nowhere}?org=${username}`),
  'controlplane.contracts.v1.UserContractService.ListContractsOfCluster': ofCluster,
  'controlplane.contracts.v1.ContractService.ListAuditEvents':
    eventsAt(({ contractId }) => `/api/v1/contracts/${contractId}/audit`),
  'controlplane.contracts.v1.UserContractService.ListUserAuditEvents':
    eventsAt(({ contractId, username }) => `/api/v1/user/contracts/${contractId}/audit?org=${username}`),
  'controlplane.contracts.v1.ContractClusterService.ListContractClusters':
    bindingsAt(({ contractId }) => `/api/v1/contracts/${contractId}/clusters`),
  'controlplane.contracts.v1.UserContractClusterService.ListUserContractClusters':
    bindingsAt(({ contractId, username }) => `/api/v1/user/contracts/${contractId}/clusters?org=${username}`),
  'controlplane.contracts.v1.ContractClusterService.ListImportableClusters':
    importableAt(({ contractId }) => `/api/v1/contracts/${contractId}/clusters/imported/non-associated`),
  'controlplane.contracts.v1.UserContractClusterService.ListUserImportableClusters':
    importableAt(({ contractId, username }) =>
      `/api/v1/user/contracts/${contractId}/clusters/imported/non-associated?org=${username}`),
  'controlplane.contracts.v1.UserContractClusterService.ListAssociatedClusters': associated,
};
