import { ClaimServiceService } from '@platform/proto/orgs/v1/claim';
import { connect, sql } from '@platform/postgres';
import { deadlineIn } from '@platform/service';
import { type HttpAnswer, type HttpClient, type OwnBus, ownBus, rpcClient } from '@platform/testing';
import { specCall } from '../operator.ts';
import { startWorld, type World } from '../orgs/world.ts';

/** What the examples of the API speak of: acme with its people, teams, roles, tokens and contracts. */
export interface ExampleWorld extends AsyncDisposable {
  readonly as: Readonly<Record<'owner' | 'site admin' | 'nobody', HttpClient>>;
  /** What an id in the examples, or the name of a picture, stands for in this run. */
  readonly meant: ReadonlyMap<unknown, number | string>;
  readonly world: World;
  readonly bus: OwnBus;
}

const mainCluster = '1b671a64-40d5-491e-99b0-da01ff1f3341';
const spareCluster = '7c0e4b1d-2d57-4a47-8a0b-0f3c9d6a5e21';
const shownBaseUrl = 'https://platform.example.org';

export async function startExampleWorld(): Promise<ExampleWorld> {
  const bus = await ownBus();
  const world = await startWorld({ settings: { ...bus.settings, 'http.baseURL': shownBaseUrl } });
  await keepKindsApart(world);
  const alice = await world.person('alice');
  const [bob, carol, dave] = [await world.person('bob'), await world.person('carol'), await world.person('dave')];
  const acme = await world.organization(alice, {
    ...{ username: 'acme', full_name: 'Acme' },
    managerManagementClusterEndPoint: 'https://manager.example.org',
  });
  await world.organization(alice, { username: 'attic' });
  const made = async (answer: Promise<HttpAnswer>) => {
    const created = await answer;
    if (created.status !== 201) throw new Error(created.text);
    return created.json<{ id: number }>().id;
  };
  const team = (name: string) =>
    made(alice.http.post('/api/v1/orgs/acme/teams', { json: { name, type: 'kubernetes' } }));
  const role = (name: string, teamIDs: readonly number[]) =>
    made(alice.http.post('/api/v1/authz/roles?org=acme', {
      json: { name, permissions: [{ namespace: 'team_mgmt', action: 'view teams' }], teamIDs },
    }));
  const [builders, movers] = [await team('Builders'), await team('Movers')];
  const [readers, drafts] = [await role('Readers', [builders]), await role('Drafts', [])];
  await world.join(alice, builders, bob);
  await world.join(alice, acme.teams.Viewers, carol);
  const { admin } = world.operator;
  const { id: token } = await admin.createToken(
    { user: '', organization: 'acme', name: 'deployment', expiresInSeconds: 0 },
    specCall(),
  );
  const { id: busUser } = await admin.createBusAccount(
    { organization: 'acme', clusterUid: '1b671a64-40d5-491e-99b0-da01ff1f3341', productName: 'billing-agent' },
    { ...specCall(), deadline: deadlineIn(30_000) },
  );
  await claimable(world);
  const { contracts, clusters } = await contractsOf(world, acme.id);
  const issued = await alice.http.post('/api/v1/license/issue?org=acme', { json: { cluster: mainCluster } });
  if (issued.status !== 200) throw new Error(issued.text);
  const { license } = issued.json<{ license: string }>();
  const { avatar } = await world.database.one(sql<{ avatar: string }>`select avatar from account where id = ${bob.id}`);
  return {
    world,
    bus,
    as: { owner: alice.http, 'site admin': world.siteAdmin.http, nobody: world.nobody },
    meant: new Map<unknown, number | string>([
      ...numbered(12, [alice.id, bob.id, carol.id, dave.id]),
      ...numbered(21, [acme.id, acme.systemAdminId]),
      ...numbered(31, [builders, movers, acme.teams.Owners, acme.teams.Editors, acme.teams.Viewers]),
      ...numbered(41, [readers, drafts]),
      ...[...numbered(51, [token]), ...numbered(61, [busUser])],
      ...[...numbered(71, contracts), ...numbered(81, clusters)],
      ['7c4a8d09ca3762af61e59520943dc264', avatar],
      ['LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t…', license],
    ]),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

/** Ids that examples number from `first`. */
function numbered(first: number, ids: readonly number[]): [number, number][] {
  return ids.map((id, index) => [first + index, id]);
}

/** Ids of different kinds are different numbers, so that each stands for one thing. */
async function keepKindsApart({ database }: World): Promise<void> {
  for (const [index, table] of ['account', 'team', 'role', 'access_token', 'bus_user'].entries()) {
    const first = String(1_000 * (index + 1));
    await database.query(sql`
      select setval(pg_get_serial_sequence(${table}, 'id'), ${first}::bigint)`);
  }
}

/** Contracts of acme: a yearly one with three clusters, one for backups, and a third one. */
async function contractsOf({ platform, siteAdmin }: World, uid: number) {
  const { url, schema } = platform.databases['contracts-licensing'];
  await using rows = connect({ url, schema, applicationName: 'spec' });
  for (const [table, first] of [['contract', 7_000], ['contract_cluster', 8_000], ['contract_event', 9_000]] as const) {
    await rows.query(sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${String(first)}::bigint)`);
  }
  await rows.execute(sql`
    insert into imported_cluster
      (id, owner_id, uid, name, display_name, imported_at, kubernetes_version, node_count, last_contact_at)
    select id, ${uid}, uid, name, initcap(name), now(), 'v1.34.1', nodes, now()
      from (values (6001, ${mainCluster}::uuid, 'main', 3), (6002, ${spareCluster}::uuid, 'spare', 1))
        as cluster (id, uid, name, nodes)`);
  interface Created { id: number; clusters: { id: number }[] }
  const create = async (given: object): Promise<Created> => {
    const json = { uid, start: 1_767_225_600, end: 4_102_444_800, ...given };
    const created = await siteAdmin.http.post('/api/v1/contracts', { json });
    if (created.status !== 201) throw new Error(created.text);
    return created.json<Created[]>()[0]!;
  };
  const yearly = await create({
    name: 'Yearly', products: ['platform'], allowOffline: true,
    clusters: [
      { cluster: mainCluster, displayName: 'Main', tags: ['production'] },
      { cluster: '3c9d2d6e-0c54-4d52-8f1e-7f7a5a0c1b42' }, { cluster: 'e0b3a4f5-1f2c-4b58-9a57-6f4d8f3e2c19' },
    ],
  });
  const backups = await create({ name: 'Backups', products: ['productbackup'] });
  const old = await create({ name: 'Old', products: ['platform'] });
  return { contracts: [yearly.id, backups.id, old.id], clusters: yearly.clusters.map(({ id }) => id) };
}

/** A standalone organization that waits to be claimed, as a marketplace registers it. */
async function claimable({ platform: { grpc, serviceCredential } }: World): Promise<void> {
  await using claims = await rpcClient(ClaimServiceService, grpc['orgs-teams'].split(','), { serviceCredential });
  await claims.putClaim(
    { claimId: 'K3V9Q7XW2MZ4T8RB6YHN5CJD1P', username: 'initech', fullName: 'Initech', claimable: true },
    specCall(),
  );
}
