import { randomUUID } from 'node:crypto';
import { ClusterOwnerServiceService } from '@platform/proto/clusters/v1/owners';
import { ContractOwnerServiceService } from '@platform/proto/contracts/v1/owners';
import { type Database, sql } from '@platform/postgres';
import { pairNames, pairOf } from '@platform/relations';
import { rpcClient, type SeededRandom, until } from '@platform/testing';
import { specCall } from '../../src/operator.ts';
import type { Organization, Person, World } from '../../src/orgs/world.ts';

/** An existing object, and its owner. */
export interface OwnedObject {
  readonly type: string;
  readonly id: number;
  readonly ownerId: number;
  readonly isOwnersTeam: boolean;
}

/** The caller: a person, or the system admin of an organization. */
export interface Asker {
  readonly id: number;
  readonly token: string;
}

/** People, organizations, roles and objects as real rows of all services. */
export interface RealRows {
  readonly organizations: readonly Organization[];
  readonly askers: readonly Asker[];
  readonly objects: readonly OwnedObject[];
  /** Makes random changes by SQL, which fire the triggers. Resolves when the engine is up to date. */
  change(random: SeededRandom): Promise<void>;
}

const people = 10;
const organizationCount = 5;

export async function realRows(world: World, random: SeededRandom): Promise<RealRows> {
  const { database, platform, operator } = world;
  const persons: Person[] = [];
  for (let index = 0; index < people; index += 1) persons.push(await world.person());
  const organizations: Organization[] = [];
  for (let index = 0; index < organizationCount; index += 1) {
    organizations.push(await world.organization(persons[index]!, { visibility: random.pick(['public', 'private']) }));
  }
  const administration = await database.one(sql<{ id: number }>`select id from organization where org_type = 6`);
  await addTeamsAndRoles(database, [...organizations.map(({ id }) => id), administration.id]);

  const systemAdmins: Asker[] = [];
  for (const { username, systemAdminId } of organizations) {
    systemAdmins.push({ id: systemAdminId, token: await operator.systemAdminToken(username) });
  }
  const owners = [...organizations.map(({ id }) => id), ...persons.slice(0, 3).map(({ id }) => id)];
  const objects = [
    ...await ownObjects(database), ...await clustersOf(world, owners), ...await contractsOf(world, owners),
    ...persons.map(({ id }) => ({ type: 'user', id, ownerId: id, isOwnersTeam: false })),
  ];
  return {
    organizations,
    askers: [...persons.map(({ id, token }) => ({ id, token })), ...systemAdmins],
    objects,
    change: async (choices) => {
      for (let count = choices.integer(4, 12); count > 0; count -= 1) {
        await changeSomething(database, choices, persons.map(({ id }) => id));
      }
      await until(async () => {
        const { waiting } = await database.one(sql<{ waiting: number }>`
          select count(*) as "waiting" from projection_pending`);
        return waiting === 0;
      }, { what: 'the engine holds what the rows say', within: 60_000 });
      await platform.http.get('/api/v1/version');
    },
  };
}

async function addTeamsAndRoles(database: Database, organizationIds: readonly number[]): Promise<void> {
  await database.execute(sql`
    insert into team (organization_id, name, permission)
    select id, 'Custom-' || number, 'custom' from unnest(${organizationIds}::bigint[]) as id, generate_series(1, 3) number`);
  await database.execute(sql`
    insert into role (organization_id, name)
    select id, 'Role-' || number from unnest(${organizationIds}::bigint[]) as id, generate_series(1, 3) number`);
}

/** Accounts, teams, tokens and system admins: the objects of orgs-teams. */
async function ownObjects(database: Database): Promise<OwnedObject[]> {
  return database.query(sql<OwnedObject>`
    select 'organization' as "type", id, id as "ownerId", false as "isOwnersTeam" from organization
    union all select 'team', id, organization_id, is_owners from team
    union all select 'robot_ac', id, system_admin_of, false from account where system_admin_of is not null
    union all
    select 'token', token.id, coalesce(account.system_admin_of, account.id), false
      from access_token token join account on account.id = token.account_id`);
}

async function clustersOf({ platform }: World, owners: readonly number[]): Promise<OwnedObject[]> {
  const client = await rpcClient(ClusterOwnerServiceService, platform.services.clusters, platform);
  const { clusters } = await client.putClusters({
    clusters: owners.map((ownerId) => ({ uid: randomUUID(), ownerId, name: randomUUID(), displayName: '' })),
  }, specCall());
  return clusters.map(({ id, ownerId }) => ({ type: 'cluster', id, ownerId, isOwnersTeam: false }));
}

async function contractsOf({ platform }: World, owners: readonly number[]): Promise<OwnedObject[]> {
  const client = await rpcClient(ContractOwnerServiceService, platform.services['contracts-licensing'], platform);
  const { contracts } = await client.putContracts({
    contracts: owners.map((ownerId) => ({ idempotencyKey: randomUUID(), ownerId, name: 'c', clusters: [] })),
  }, specCall());
  return contracts.map(({ id, ownerId }) => ({ type: 'contract', id, ownerId, isOwnersTeam: false }));
}

async function changeSomething(database: Database, random: SeededRandom, persons: readonly number[]): Promise<void> {
  const person = random.pick(persons);
  const { namespace, action } = pairOf(random.pick(pairNames));
  const nth = random.integer(0, 1_000);
  const some = (table: 'team' | 'role') => (table === 'team'
    ? sql`(select id from team where not is_owners order by id offset ${nth}::bigint % (select count(*) from team where not is_owners) limit 1)`
    : sql`(select id from role order by id offset ${nth}::bigint % (select count(*) from role) limit 1)`);
  const changes = [
    sql`update team set permission = ${random.pick(['none', 'read', 'write', 'admin', 'custom'])} where id = ${some('team')}`,
    sql`
      insert into role_permission (role_id, organization_id, namespace, action)
      select id, organization_id, ${namespace}, ${action} from role where id = ${some('role')} on conflict do nothing`,
    sql`
      delete from role_permission
       where (role_id, namespace, action) = (
         select role_id, namespace, action from role_permission
          order by role_id, namespace, action offset ${nth}::bigint % (1 + (select count(*) from role_permission)) limit 1)`,
    sql`
      insert into team_role (role_id, team_id, organization_id)
      select role.id, team.id, team.organization_id from team join role using (organization_id)
       where team.id = ${some('team')} order by role.id offset ${nth}::bigint % 3 limit 1 on conflict do nothing`,
    sql`
      delete from team_role
       where (role_id, team_id) = (
         select role_id, team_id from team_role order by role_id, team_id
          offset ${nth}::bigint % (1 + (select count(*) from team_role)) limit 1)`,
    sql`
      insert into team_member (team_id, user_id, organization_id)
      select id, ${person}, organization_id from team order by id offset ${nth}::bigint % (select count(*) from team) limit 1
      on conflict do nothing`,
    sql`
      delete from team_member
       where user_id = ${person} and team_id = (
         select membership.team_id from team_member membership join team on team.id = membership.team_id
          where membership.user_id = ${person} and not team.is_owners order by 1 limit 1)`,
    sql`update account set is_admin = not is_admin where id = ${person} and ${nth}::bigint % 4 = 0`,
  ];
  await database.execute(random.pick(changes));
}
