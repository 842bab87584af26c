import { sql } from '@platform/postgres';
import { type ProofOptions, type ProofResult, seeded, type SeededRandom, until } from '@platform/testing';
import { specCall } from '../src/operator.ts';
import { type Person, startWorld, type World } from '../src/orgs/world.ts';
import { organizationHosts } from '../src/platform.ts';

export const name = 'crash';
export const describe = 'orgs-teams is killed again and again during 500 mixed changes: no organization is without an '
  + 'owner, no member without a team, no token of a deleted account works, no answered change is lost, and the engine '
  + 'agrees with the rows.';
export const servers = true;

const wholeRounds = 20;
const changesOfRound = 25;
const changesAtOnce = 8;

/** Rows that exist when a change begins; the change chooses among them. */
interface Rows {
  readonly organizations: readonly { readonly id: number; readonly name: string; readonly owner: string }[];
  readonly teams: readonly { readonly id: number; readonly name: string }[];
  readonly roles: readonly { readonly id: number; readonly org: string }[];
}

/** Things that were answered with success, so they must exist at the end. */
interface Answered {
  readonly organizations: Set<string>;
  /** Organizations whose deletion was requested, with success or not. */
  readonly maybeGone: Set<string>;
  /** Tokens of all users, by name, also of deleted users. */
  readonly tokens: Map<string, string>;
  readonly deletedUsers: Set<string>;
}

export async function prove({ seed, share, report }: ProofOptions): Promise<ProofResult> {
  await using world = await startWorld({ hosts: organizationHosts, ownProcess: { of: ['orgs-teams'], because: 'killed' } });
  const random = seeded(seed);
  const rounds = Math.max(1, Math.round(wholeRounds * share));
  const answered: Answered = {
    organizations: new Set(), maybeGone: new Set(), tokens: new Map(), deletedUsers: new Set(),
  };
  const people: Person[] = [];
  for (let count = 0; count < 6; count += 1) people.push(await world.person());
  for (const { username, token } of people) answered.tokens.set(username, token);
  for (const person of people) await world.organization(person);
  const [replica] = world.platform.services['orgs-teams'].replicas;
  const counterexamples: string[] = [];
  let [made, cut] = [0, 0];

  for (let round = 0; round < rounds; round += 1) {
    const killAt = random.integer(3, changesOfRound - changesAtOnce);
    let started = 0;
    let back: Promise<void> = Promise.resolve();
    await Promise.all(Array.from({ length: changesAtOnce }, async () => {
      while (started < changesOfRound) {
        started += 1;
        if (started === killAt) back = killed(replica);
        const status = await change(world, people, random, answered).catch(() => 0);
        if (status >= 200 && status < 300) made += 1;
        if (status === 0 || status >= 500) {
          cut += 1;
          if (status === 500) counterexamples.push(`round ${round}: a change was answered 500`);
          await back;
        }
      }
    }));
    await back;
    counterexamples.push(...(await findWrongs(world, answered)).map((wrong) => `round ${round}: ${wrong}`));
    report(`${round + 1} of ${rounds} rounds, ${made} changes made, ${cut} cut, ${counterexamples.length} wrong`);
  }
  return {
    figure: `${rounds} kills during ${rounds * changesOfRound} changes (${made} made, ${cut} cut), `
      + `${counterexamples.length} wrong`,
    holds: counterexamples.length === 0 && made > 0,
    counterexamples,
  };
}

/** Kills the service at a random point during other changes, and starts it again. */
async function killed(replica: World['platform']['services']['orgs-teams']['replicas'][number]): Promise<void> {
  await replica.kill();
  await replica.restart();
}

/** Makes one random change, over REST or as the operator; returns its status. */
async function change(
  world: World,
  people: readonly Person[],
  random: SeededRandom,
  answered: Answered,
): Promise<number> {
  const { organizations, teams, roles } = await readRows(world);
  const { http } = world.siteAdmin;
  const person = random.pick(people);
  const organization = random.pick(organizations);
  const team = random.pick(teams);
  const label = `${random.integer(1, 1_000_000)}`;
  const pair = { namespace: 'team_mgmt', action: random.pick(['view teams', 'create teams', 'edit teams']) };
  const owner = people.find(({ username }) => username === organization.owner);
  const member = `/api/v1/teams/${team.id}/members/${person.username}`;
  const teamBody = { name: team.name, permission: random.pick(['read', 'write', 'admin']) };
  const status = async (answer: Promise<{ status: number }>) => (await answer).status;
  const changes: (() => Promise<number>)[] = [
    () => createOrganization(person, `crash-${label}`, answered),
    () => deleteOrganization(owner ?? person, organization.name, answered),
    () => status(http.put(member)),
    () => status(http.put(member)),
    () => status(http.delete(member)),
    () => status(http.patch(`/api/v1/teams/${team.id}`, { json: teamBody })),
    () => status(http.post(`/api/v1/orgs/${organization.name}/teams`, {
      json: { name: `team-${label}`, type: 'kubernetes', permission: 'read' },
    })),
    () => status(http.delete(`/api/v1/teams/${team.id}`)),
    () => status(http.post(`/api/v1/authz/roles?org=${organization.name}`, {
      json: { name: `role-${label}`, permissions: [pair], teamIDs: [team.id] },
    })),
    () => {
      const role = roles.length === 0 ? undefined : random.pick(roles);
      return status(http.delete(`/api/v1/authz/roles/${role?.id ?? 1}?org=${role?.org ?? organization.name}`));
    },
    () => createAndDeleteUser(world, `passing-${label}`, team.id, answered),
  ];
  return random.pick(changes)();
}

async function createOrganization({ http }: Person, username: string, answered: Answered): Promise<number> {
  const { status } = await http.post('/api/v1/orgs', { json: { username } });
  if (status === 201) answered.organizations.add(username);
  return status;
}

async function deleteOrganization({ http }: Person, username: string, answered: Answered): Promise<number> {
  answered.maybeGone.add(username);
  return (await http.delete(`/api/v1/orgs/${username}`)).status;
}

async function createAndDeleteUser(world: World, username: string, teamId: number, answered: Answered): Promise<number> {
  const user = await world.operator.user(username);
  answered.tokens.set(username, user.token);
  await world.siteAdmin.http.put(`/api/v1/teams/${teamId}/members/${username}`);
  await world.operator.admin.deleteUser({ username, leaveOrganizations: false }, specCall());
  answered.deletedUsers.add(username);
  return 200;
}

async function readRows({ database }: World): Promise<Rows> {
  return database.one(sql<Rows>`
    select (select jsonb_agg(jsonb_build_object('id', account.id, 'name', account.name, 'owner', (
              select person.name from team join team_member member on member.team_id = team.id
                join account person on person.id = member.user_id
               where team.organization_id = account.id and team.is_owners order by person.id limit 1
            )) order by account.id)
              from account join organization using (id) where org_type = 0) as "organizations",
           (select jsonb_agg(jsonb_build_object('id', team.id, 'name', team.name) order by team.id)
              from team join organization on organization.id = organization_id where org_type = 0) as "teams",
           (select coalesce(jsonb_agg(jsonb_build_object('id', role.id, 'org', account.name) order by role.id), '[]')
              from role join account on account.id = organization_id) as "roles"`);
}

/** Violated invariants, once the service is back and nothing is pending. */
async function findWrongs(world: World, answered: Answered): Promise<string[]> {
  const { database, operator, siteAdmin } = world;
  const isBack = async () => (await siteAdmin.http.get('/api/v1/version')).status === 200;
  await until(isBack, { what: 'it is back', within: 60_000 });
  const pending = () => database.one(sql<{ count: number }>`select count(*) as "count" from projection_pending`);
  await until(async () => (await pending()).count === 0, { what: 'nothing waits for the engine', within: 60_000 });
  const wrongs: string[] = [];
  const rows = await database.query(sql<{ wrong: string }>`
    select 'no owner in ' || account.name as "wrong" from organization join account using (id)
     where not exists (
       select from team join team_member on team_member.team_id = team.id
        where team.organization_id = organization.id and team.is_owners
     )
    union all
    select 'no Owners in ' || account.name from organization join account using (id)
     where not exists (select from team where team.organization_id = organization.id and team.is_owners)
    union all
    select 'no hidden system admin of ' || account.name from organization join account using (id)
     where not exists (select from account hidden where hidden.system_admin_of = organization.id)
    union all
    select 'shown, and no member: ' || user_id from public_membership shown
     where not exists (
       select from team_member where organization_id = shown.organization_id and team_member.user_id = shown.user_id
     )
    union all
    select 'an account without its organization: ' || name from account
     where kind = 'organization' and not exists (select from organization where organization.id = account.id)`);
  wrongs.push(...rows.map(({ wrong }) => wrong));
  for (const organization of answered.organizations.difference(answered.maybeGone)) {
    const { status } = await siteAdmin.http.get(`/api/v1/orgs/${organization}`);
    if (status !== 200) wrongs.push(`${organization} was answered 201, and is answered ${status}`);
  }
  const living = await database.query(sql<{ name: string }>`select name from account where kind = 'person'`);
  const names = new Set(living.map((account) => account.name));
  for (const username of answered.deletedUsers) {
    if (names.has(username)) wrongs.push(`${username} was deleted, and is there`);
  }
  for (const [username, token] of answered.tokens) {
    const { status } = await world.as(token).get('/api/v1/orgs/administration/is-owner');
    if ((status === 401) !== !names.has(username)) wrongs.push(`the token of ${username} is answered ${status}`);
  }
  const { differences } = await operator.admin.checkDrift({ organizationId: 0, limit: 5 }, specCall());
  wrongs.push(...differences.map((difference) => `rows and engine differ: ${JSON.stringify(difference)}`));
  return wrongs;
}
