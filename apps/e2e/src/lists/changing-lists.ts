import { connect, type Database, sql, type Statement } from '@platform/postgres';
import type { SchemaServiceName } from '@platform/service';
import type { Organization, World } from '../orgs/world.ts';

/** A list to which rows with any keys can be added and removed. */
export interface ChangingList {
  /** Path and query, without page and limit. */
  readonly address: string;
  /** Returns the key of an item. */
  readonly keyOf: (item: never) => number | string;
  /** Returns the key of a candidate by its number. */
  readonly key: (candidate: number) => number | string;
  readonly put: (candidates: readonly number[]) => Promise<unknown>;
  readonly take: (candidates: readonly number[]) => Promise<unknown>;
}

/** Prepares a list for this many candidates, numbered from 0. */
export type MakeList = (world: World, candidates: number) => Promise<ChangingList>;

/** Candidates have ids far above those that the platform issues meanwhile, in a separate range for each kind. */
const distance = 1_000_000;
let used = 1_000 * distance;

/** Every list of the API, by method. Rows are changed with SQL, because only reading is tested. */
export const changingLists: Readonly<Record<string, MakeList>> = {
  'controlplane.orgs.v1.TeamService.ListTeams': async (world) => {
    const { database, id, username } = await organizationOf(world);
    return byId(`/api/v1/orgs/${username}/teams`, rowsOf(database, 'team', (ids) => teamsOf(id, ids)));
  },

  'controlplane.orgs.v1.RoleService.ListRoles': async (world) => {
    const { database, id, username } = await organizationOf(world);
    return byId(`/api/v1/authz/roles?org=${username}`, rowsOf(database, 'role', (ids) => sql`
      insert into role (id, organization_id, name) overriding system value
      select one, ${id}::bigint, 'role ' || one from unnest(${ids}::bigint[]) one`));
  },

  'controlplane.orgs.v1.RoleService.ListRolePrincipals': async (world, candidates) => {
    const { database, id, username } = await organizationOf(world);
    const role = await database.one(sql<{ id: number }>`
      insert into role (organization_id, name) values (${id}, 'role') returning id`);
    return byId(`/api/v1/authz/roles/${role.id}/principals?org=${username}`, {
      prepare: (ids) => database.execute(teamsOf(id, ids)),
      put: (ids) => database.execute(sql`
        insert into team_role (role_id, team_id, organization_id)
        select ${role.id}::bigint, one, ${id}::bigint from unnest(${ids}::bigint[]) one`),
      take: (ids) => database.execute(sql`delete from team_role where role_id = ${role.id} and team_id = any (${ids})`),
    }, { candidates, keyOf: ({ principalID }: { principalID: number }) => principalID });
  },

  'controlplane.orgs.v1.MemberService.ListMembers': (world, candidates) =>
    membersOf(world, candidates, ({ username }) => `/api/v1/orgs/${username}/members`),

  'controlplane.orgs.v1.TeamMemberService.ListTeamMembers': (world, candidates) =>
    membersOf(world, candidates, ({ teams }) => `/api/v1/teams/${teams.Viewers}/members`),

  'controlplane.orgs.v1.MemberService.ListPublicMembers': async (world, candidates) => {
    const { database, id, username, teams } = await organizationOf(world);
    return byId(`/api/v1/orgs/${username}/public_members`, {
      prepare: async (ids) => {
        await database.execute(people(ids));
        await database.execute(memberships(id, teams.Viewers, ids));
      },
      put: (ids) => database.execute(sql`
        insert into public_membership (organization_id, user_id)
        select ${id}::bigint, one from unnest(${ids}::bigint[]) one`),
      take: (ids) => database.execute(sql`
        delete from public_membership where organization_id = ${id} and user_id = any (${ids})`),
    }, { candidates });
  },

  'controlplane.orgs.v1.UserService.ListUserOrganizations': ({ database, siteAdmin }) =>
    byId('/api/v1/user/orgs', {
      put: async (ids) => {
        await database.execute(organizations('of-admin-', ids));
        await database.execute(sql`
          insert into team (id, organization_id, name, permission) overriding system value
          select one, one, 'team', 'none' from unnest(${ids}::bigint[]) one`);
        await database.execute(sql`
          insert into team_member (team_id, user_id, organization_id)
          select one, ${siteAdmin.id}::bigint, one from unnest(${ids}::bigint[]) one`);
      },
      take: (ids) => database.execute(sql`delete from account where id = any (${ids})`),
    }),

  'controlplane.orgs.v1.UserTokenService.ListUserTokens': ({ database, siteAdmin: { id, username } }) =>
    byId(`/api/v1/users/${username}/tokens`, tokensOf(database, id, 'person')),

  'controlplane.orgs.v1.SiteAdminService.ListSiteUsers': ({ database }) =>
    byId('/api/v1/admin/users?q=listed-', rowsOf(database, 'account', (ids) => people(ids, 'listed-'))),

  'controlplane.orgs.v1.SiteAdminService.ListSiteOrganizations': ({ database }) =>
    byId('/api/v1/admin/orgs?q=of-site-', rowsOf(database, 'account', (ids) => organizations('of-site-', ids))),

  'controlplane.orgs.v1.AuditService.ListSiteAudit': ({ database }) =>
    byId('/api/v1/admin/audit?action=listed.change', changesOf(database, null)),

  'controlplane.orgs.v1.AuditService.ListOrganizationAudit': async (world) => {
    const { database, id, username } = await organizationOf(world);
    return byId(`/api/v1/orgs/${username}/audit?action=of_organization.change`, changesOf(database, id));
  },

  'controlplane.orgs.v1.SessionService.ListSessions': ({ database, siteAdmin: { id } }) =>
    byId('/api/v1/user/sessions', rowsOf(database, 'access_token', (ids) => sql`
      insert into access_token
        (id, account_id, account_kind, name, hash, last_eight, kind, via, idle_for, expires_at) overriding system value
      select one, ${id}::bigint, 'person', 'session', sha256(one::text::bytea), '00000000', 'session', 'link',
             interval '1 day', now() + interval '1 day'
        from unnest(${ids}::bigint[]) one`)),

  'controlplane.orgs.v1.TeamInvitationService.ListTeamInvitations': async (world) => {
    const { database, id, username, teams } = await organizationOf(world);
    return byId(`/api/v1/orgs/${username}/invitations`, rowsOf(database, 'team_invitation', (ids) => sql`
      insert into team_invitation (id, organization_id, team_id, inviter_id, email) overriding system value
      select one, ${id}::bigint, ${teams.Viewers}::bigint, ${world.siteAdmin.id}::bigint, one || '@example.org'
        from unnest(${ids}::bigint[]) one`));
  },

  'controlplane.orgs.v1.TokenService.ListAccessTokens': async (world) => {
    const { database, username, systemAdminId } = await organizationOf(world);
    return byId(`/api/v1/orgs/${username}/tokens/access-tokens`, tokensOf(database, systemAdminId, 'system_admin'));
  },

  'controlplane.orgs.v1.TokenService.ListBusTokens': async (world) => {
    const { database, id, username, systemAdminId } = await organizationOf(world);
    const key = (letter: string, of: number) => letter + String(of).replace(/\d/g, (one) => 'ABCDEFGHIJ'[Number(one)]!).padStart(55, 'Z');
    await database.execute(sql`insert into bus_account (organization_id, public_key) values (${id}, ${key('A', id)})`);
    return byId(`/api/v1/orgs/${username}/tokens/bus-tokens`, rowsOf(database, 'bus_user', (ids) => sql`
      insert into bus_user
        (id, organization_id, account_id, public_key, signing_key, cluster_id, product_name) overriding system value
      select one, ${id}::bigint, ${systemAdminId}::bigint, public_key, ${key('A', 0)}, gen_random_uuid(), 'product'
        from unnest(${ids}::bigint[], ${ids.map((one) => key('U', one))}::text[]) bus (one, public_key)`));
  },

  'controlplane.orgs.v1.ClientOrganizationAccountService.ListClientOrganizations': ({ database }) =>
    byId('/api/v1/user/clients', rowsOf(database, 'account', (ids) => organizations('client-', ids, 2))),

  'controlplane.orgs.v1.SettingsService.ListAllowedDomains': ({ database }) => {
    const key = (candidate: number) => `d${candidate}.example.org`;
    return Promise.resolve({
      address: '/api/v1/allowed-domains',
      keyOf: (domain: string) => domain,
      key,
      put: (candidates) => database.execute(sql`
        update site_setting set allowed_domains = array(
          select one from unnest(allowed_domains || ${candidates.map(key)}::text[]) one order by one collate "C")`),
      take: (candidates) => database.execute(sql`
        update site_setting set allowed_domains = array(
          select one from unnest(allowed_domains) one
           where one <> all (${candidates.map(key)}::text[]) order by one collate "C")`),
    });
  },
};

type Change = (ids: readonly number[]) => Promise<unknown>;

const connections = new Map<string, Database>();

/** The database of a service. */
export function databaseOf({ platform }: World, service: SchemaServiceName): Database {
  const { url, schema } = platform.databases[service];
  const database = connections.get(url) ?? connect({ url, schema, applicationName: 'spec', maxConnections: 5 });
  connections.set(url, database);
  return database;
}

/** The UID of a numbered cluster. */
export const uuidOf = (number: number) => `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;

/** Rows of a table by `id`, which the statement inserts. */
export function rowsOf(
  database: Database, table: string, insert: (ids: readonly number[]) => Statement,
): { readonly put: Change; readonly take: Change } {
  return {
    put: (ids) => database.execute(insert(ids)),
    take: (ids) => database.execute(sql`delete from ${sql.identifier(table)} where id = any (${ids})`),
  };
}

/** A list of things with ids; `prepare` makes the rows to which candidates refer. */
export async function byId(
  address: string,
  { put, take, prepare }: { readonly put: Change; readonly take: Change; readonly prepare?: Change },
  more: { readonly candidates?: number; readonly keyOf?: (item: never) => number } = {},
): Promise<ChangingList> {
  const first = (used += distance);
  const key = (candidate: number) => first + candidate;
  await prepare?.(Array.from({ length: more.candidates ?? 0 }, (_, candidate) => key(candidate)));
  return {
    address,
    key,
    keyOf: more.keyOf ?? (({ id }: { id: number }) => id),
    put: (candidates) => put(candidates.map(key)),
    take: (candidates) => take(candidates.map(key)),
  };
}

async function membersOf(world: World, candidates: number, addressIn: (organization: Organization) => string) {
  const { database, ...organization } = await organizationOf(world);
  const { id, teams } = organization;
  return byId(addressIn(organization), {
    prepare: (ids) => database.execute(people(ids)),
    put: (ids) => database.execute(memberships(id, teams.Viewers, ids)),
    take: (ids) => database.execute(sql`
      delete from team_member where team_id = ${teams.Viewers} and user_id = any (${ids})`),
  }, { candidates });
}

const changesOf = (database: Database, organizationId: number | null) => rowsOf(database, 'audit', (ids) => sql`
  insert into audit (id, actor, action, object, organization_id, request_id, via) overriding system value
  select one, 'operator', ${organizationId === null ? 'listed.change' : 'of_organization.change'}, 'user:1',
         ${organizationId}::bigint, 'spec', 'cli'
    from unnest(${ids}::bigint[]) one`);

const tokensOf = (database: Database, accountId: number, kind: string) => rowsOf(database, 'access_token', (ids) => sql`
  insert into access_token (id, account_id, account_kind, name, hash, last_eight) overriding system value
  select one, ${accountId}::bigint, ${kind}::text, 'token ' || one, sha256(one::text::bytea), '00000000'
    from unnest(${ids}::bigint[]) one`);

const organizationOf = async (world: World) =>
  ({ ...(await world.organization(world.siteAdmin)), database: world.database });

const teamsOf = (organizationId: number, ids: readonly number[]) => sql`
  insert into team (id, organization_id, name, permission) overriding system value
  select one, ${organizationId}::bigint, 'team-' || one, 'none' from unnest(${ids}::bigint[]) one`;

const people = (ids: readonly number[], prefix = 'person-') => sql`
  insert into account (id, kind, name, email) overriding system value
  select one, 'person', ${prefix}::text || one, 'person@example.org' from unnest(${ids}::bigint[]) one`;

const organizations = (prefix: string, ids: readonly number[], type = 0) => sql`
  with account as (
    insert into account (id, kind, name) overriding system value
    select one, 'organization', ${prefix}::text || one from unnest(${ids}::bigint[]) one returning id
  )
  insert into organization (id, org_type) select id, ${type}::smallint from account`;

const memberships = (organizationId: number, teamId: number, ids: readonly number[]) => sql`
  insert into team_member (team_id, user_id, organization_id)
  select ${teamId}::bigint, one, ${organizationId}::bigint from unnest(${ids}::bigint[]) one`;
