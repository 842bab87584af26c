import { sql, type Statement } from '@platform/postgres';
import type { World } from '../orgs/world.ts';
import { byId, type ChangingList, databaseOf, type MakeList, rowsOf, uuidOf } from './changing-lists.ts';

/** An organization that owns contracts, and the rows of contracts-licensing. */
async function ownerOf(world: World) {
  const { id, username } = await world.organization(world.siteAdmin);
  return { id, username, rows: databaseOf(world, 'contracts-licensing') };
}

const contracts = (ownerId: number, ids: readonly number[]) => sql`
  insert into contract (id, owner_id, name, product, features, starts_at, ends_at, allow_offline) overriding system value
  select one, ${ownerId}::bigint, 'contract', 'platform', '{platform}', now() - interval '1 day',
         now() + interval '1 year', true
    from unnest(${ids}::bigint[]) one`;

/** A list whose rows are contracts of an organization. */
const contractsAt = (path: string): MakeList => async (world) => {
  const { id, username, rows } = await ownerOf(world);
  return byId(`${path}?org=${username}`, rowsOf(rows, 'contract', (ids) => contracts(id, ids)));
};

/** The last id of a contract of {@link contractOf}. These ids are far above the ids in lists. */
let singles = 5_000_000_000_000;

async function contractOf(world: World) {
  const owner = await ownerOf(world);
  const contractId = (singles += 1);
  await owner.rows.execute(contracts(owner.id, [contractId]));
  return { ...owner, contractId };
}

type OneContract = Awaited<ReturnType<typeof contractOf>>;

const [site, user] = ['/api/v1/contracts', '/api/v1/user/contracts'];

/** A list whose rows belong to one contract, for site admins or for users. */
const belowContract = (
  table: string, below: string, insert: (owner: OneContract, ids: readonly number[]) => Statement,
) => (base: string): MakeList => async (world) => {
  const owner = await contractOf(world);
  const query = base === user ? `?org=${owner.username}` : '';
  return byId(`${base}/${owner.contractId}${below}${query}`, rowsOf(owner.rows, table, (ids) => insert(owner, ids)));
};

const bindingsAt = belowContract('contract_cluster', '/clusters', ({ contractId }, ids) => sql`
  insert into contract_cluster (id, contract_id, cluster_uid) overriding system value
  select one, ${contractId}::bigint, gen_random_uuid() from unnest(${ids}::bigint[]) one`);
const eventsAt = belowContract('contract_event', '/audit', ({ contractId }, ids) => sql`
  insert into contract_event (id, contract_id, event, added_by) overriding system value
  select one, ${contractId}::bigint, 'contract.updated', 'spec' from unnest(${ids}::bigint[]) one`);
const importableAt = belowContract('imported_cluster', '/clusters/imported/non-associated', ({ id }, ids) => sql`
  insert into imported_cluster (id, owner_id, uid, name, display_name, imported_at)
  select one, ${id}::bigint, gen_random_uuid(), 'cluster', '', now() from unnest(${ids}::bigint[]) one`);

/** Clusters of all active contracts, by UID. */
async function associated(world: World): Promise<ChangingList> {
  const { contractId, username, rows } = await contractOf(world);
  return {
    address: `${user}/active/associated-clusters?org=${username}`,
    key: uuidOf,
    keyOf: ({ cluster }: { cluster: string }) => cluster,
    put: (candidates) => rows.execute(sql`
      insert into contract_cluster (contract_id, cluster_uid)
      select ${contractId}::bigint, uid from unnest(${candidates.map(uuidOf)}::uuid[]) uid`),
    take: (candidates) => rows.execute(sql`
      delete from contract_cluster
       where contract_id = ${contractId} and cluster_uid = any (${candidates.map(uuidOf)}::uuid[])`),
  };
}

/** Contracts to which one cluster is bound; candidates are existing contracts that are bound and released. */
async function ofCluster(world: World, candidates: number): Promise<ChangingList> {
  const { id, username, rows } = await ownerOf(world);
  const uid = '1b671a64-40d5-491e-99b0-da01ff1f3341';
  return byId(`${user}/active/associated-with/clusters/${uid}?org=${username}`, {
    prepare: (ids) => rows.execute(contracts(id, ids)),
    put: (ids) => rows.execute(sql`
      insert into contract_cluster (contract_id, cluster_uid)
      select one, ${uid}::uuid from unnest(${ids}::bigint[]) one`),
    take: (ids) => rows.execute(sql`delete from contract_cluster where contract_id = any (${ids})`),
  }, { candidates });
}

const nowhere = '9d3f0a52-6c1e-4b7a-8f21-3d5e6f708192';

/** The lists of contracts, of their clusters and of their audit events, by method. */
export const changingContractLists: Readonly<Record<string, MakeList>> = {
  'controlplane.contracts.v1.ContractService.ListContracts': contractsAt(site),
  'controlplane.contracts.v1.UserContractService.ListUserContracts': contractsAt(user),
  'controlplane.contracts.v1.UserContractService.ListActiveOfflineContracts':
    contractsAt(`${user}/active-offline-contracts`),
  'controlplane.contracts.v1.UserContractService.ListOtherContracts':
    contractsAt(`${user}/active/not-associated-with/clusters/${nowhere}`),
  'controlplane.contracts.v1.UserContractService.ListContractsOfCluster': ofCluster,
  'controlplane.contracts.v1.ContractService.ListAuditEvents': eventsAt(site),
  'controlplane.contracts.v1.UserContractService.ListUserAuditEvents': eventsAt(user),
  'controlplane.contracts.v1.ContractClusterService.ListContractClusters': bindingsAt(site),
  'controlplane.contracts.v1.UserContractClusterService.ListUserContractClusters': bindingsAt(user),
  'controlplane.contracts.v1.ContractClusterService.ListImportableClusters': importableAt(site),
  'controlplane.contracts.v1.UserContractClusterService.ListUserImportableClusters': importableAt(user),
  'controlplane.contracts.v1.UserContractClusterService.ListAssociatedClusters': associated,
};
