import { randomUUID } from 'node:crypto';
import { sql } from '@platform/postgres';
import { type HttpClient, until } from '@platform/testing';
import { documentedHttp } from '../../src/documented.ts';
import { specCall } from '../../src/operator.ts';
import type { Organization, Person, World } from '../../src/orgs/world.ts';
import { asPage, overSession, signedOut } from './sessions.ts';
import { alreadyGone, answered, done, type Right, type Way } from './way.ts';

/** Ways of one separate organization, so that lanes rarely wait for each other. */
export interface Lane {
  readonly ways: readonly Way[];
  /** Lists the teams of the organization through a gateway. Returns the status. */
  use(gateway: string, right: Pick<Right, 'token' | 'session'>): Promise<number>;
}

const viewTeams = [{ namespace: 'team_mgmt', action: 'view teams' }];
const clients = new Map<string, HttpClient>();

export async function openLane(world: World): Promise<Lane> {
  const owner = await world.person();
  const organization = await world.organization(owner);
  // Sequentially, because all of these change the structure of the same organization.
  const ways = [
    await membership(world, owner, organization), await teamRight(world, owner, organization),
    await rightByHand(world, owner, organization), await role(world, owner, organization),
    await rolePermission(world, owner, organization), await teamsOfRole(world, owner, organization),
    await roleDeleted(world, owner, organization), teamDeleted(world, owner, organization),
    await membershipLeft(world, owner, organization), await membershipRemoved(world, owner, organization),
    userDeleted(world, owner, organization), await flag(world, owner, organization, 'admin'),
    await flag(world, owner, organization, 'prohibitLogin'), await flag(world, owner, organization, 'active'),
    await token(world, owner, organization),
  ];
  return {
    ways: [
      ...ways, ...ways.map((way) => overSession(world, way)),
      systemAdmin(world, organization), await signedOut(world, owner, organization),
    ],
    use: async (gateway, { token: presented, session }) => {
      const client = clients.get(gateway) ?? documentedHttp(gateway.includes('://') ? gateway : `http://${gateway}`);
      clients.set(gateway, client);
      const headers = session === undefined ? { authorization: `Bearer ${presented}` } : asPage(session);
      return (await client.get(`/api/v1/orgs/${organization.username}/teams`, { headers })).status;
    },
  };
}

/** A person in a new team without permission and role. */
async function inTeam(world: World, owner: Person, { username }: Organization) {
  const user = await world.person();
  const name = `team of ${user.username}`;
  const json = { name, type: 'kubernetes', permission: 'read', assignedRoleIDs: [] };
  const made = await done(() => owner.http.post(`/api/v1/orgs/${username}/teams`, { json }));
  const { id } = made.json<{ id: number }>();
  const change = (json: Record<string, unknown>) =>
    done(() => owner.http.patch(`/api/v1/teams/${id}`, { json: { name, ...json } }));
  await change({ permission: 'custom' });
  await world.join(owner, id, user);
  return { user, id, change };
}

/** A role without teams, with or without the right to list teams. */
async function newRole(owner: Person, { username }: Organization, permissions: typeof viewTeams) {
  const path = '/api/v1/authz/roles';
  // A new name for each try, because an earlier try may have created the role although its answer was lost.
  const made = await done(() => owner.http.post(`${path}?org=${username}`, {
    json: { name: `role ${randomUUID()}`, permissions },
  }));
  const { id } = made.json<{ id: number }>();
  const change = (json: Record<string, unknown>) =>
    done(() => owner.http.put(`${path}/${id}?org=${username}`, { json }));
  return { id, change };
}

async function membership(world: World, owner: Person, { teams }: Organization): Promise<Way> {
  const user = await world.person();
  const path = `/api/v1/teams/${teams.Viewers}/members/${user.username}`;
  return {
    name: 'membership',
    give: async () => {
      await done(() => owner.http.put(path));
      return { token: user.token, take: async () => void (await done(() => owner.http.delete(path), [404])) };
    },
  };
}

/** Membership in Viewers, until the member leaves the organization. */
async function membershipLeft(world: World, owner: Person, { username, teams }: Organization): Promise<Way> {
  const user = await world.person();
  const leave = `/api/v1/orgs/${username}/members/action/leave?uid=${user.id}`;
  return {
    name: 'membership left',
    give: async () => {
      await done(() => owner.http.put(`/api/v1/teams/${teams.Viewers}/members/${user.username}`));
      // If the answer to a completed leave was lost, the user is no longer a member.
      return { token: user.token, take: async () => void (await done(() => user.http.post(leave), [403, 404])) };
    },
  };
}

async function membershipRemoved(world: World, owner: Person, { username, teams }: Organization): Promise<Way> {
  const user = await world.person();
  const path = `/api/v1/orgs/${username}/members/${user.username}`;
  return {
    name: 'membership removed from the organization',
    give: async () => {
      await done(() => owner.http.put(`/api/v1/teams/${teams.Viewers}/members/${user.username}`));
      return { token: user.token, take: async () => void (await done(() => owner.http.delete(path), [404])) };
    },
  };
}

function userDeleted(world: World, owner: Person, { teams }: Organization): Way {
  return {
    name: 'user deleted',
    give: async () => {
      const { username, token } = await answered(() => world.person());
      await done(() => owner.http.put(`/api/v1/teams/${teams.Viewers}/members/${username}`));
      const gone = { username, leaveOrganizations: false };
      const remove = () => world.operator.admin.deleteUser(gone, specCall()).then(() => undefined, alreadyGone);
      return { token, take: () => answered(remove) };
    },
  };
}

function teamDeleted(world: World, owner: Person, { username }: Organization): Way {
  return {
    name: 'team deleted',
    give: async () => {
      const user = await answered(() => world.person());
      const made = await done(() => owner.http.post(`/api/v1/orgs/${username}/teams`, {
        json: { name: `team ${randomUUID()}`, type: 'kubernetes', permission: 'read' },
      }));
      const path = `/api/v1/teams/${made.json<{ id: number }>().id}`;
      await done(() => owner.http.put(`${path}/members/${user.username}`));
      return { token: user.token, take: async () => void (await done(() => owner.http.delete(path), [404])) };
    },
  };
}

async function teamRight(world: World, owner: Person, organization: Organization): Promise<Way> {
  const { user, change } = await inTeam(world, owner, organization);
  return {
    name: 'right of a team',
    give: async () => {
      await change({ permission: 'read' });
      return { token: user.token, take: async () => void (await change({ permission: 'custom' })) };
    },
  };
}

async function rightByHand(world: World, owner: Person, organization: Organization): Promise<Way> {
  const { user, id } = await inTeam(world, owner, organization);
  // No call announces the end of this change: it counts once all lease holders are informed (leases.md L6).
  const set = async (permission: string) => {
    await world.database.execute(sql`update team set permission = ${permission} where id = ${id}`);
    await until(async () => {
      const untold = await world.database.query(sql`
        select from lease_change where key in ('*', ${`organization/${organization.id}`})`);
      return untold.length === 0;
    }, { what: 'all holders have the change', within: 15_000 });
  };
  return {
    name: 'right of a team, by hand in SQL',
    give: async () => {
      await set('write');
      return { token: user.token, take: () => set('none') };
    },
  };
}

async function role(world: World, owner: Person, organization: Organization): Promise<Way> {
  const { user, change } = await inTeam(world, owner, organization);
  const { id } = await newRole(owner, organization, viewTeams);
  return {
    name: 'role of a team',
    give: async () => {
      await change({ assignedRoleIDs: [id] });
      return { token: user.token, take: async () => void (await change({ assignedRoleIDs: [] })) };
    },
  };
}

async function rolePermission(world: World, owner: Person, organization: Organization): Promise<Way> {
  const { user, change } = await inTeam(world, owner, organization);
  const given = await newRole(owner, organization, []);
  await change({ assignedRoleIDs: [given.id] });
  return {
    name: 'permission of a role',
    give: async () => {
      await given.change({ permissions: viewTeams });
      return { token: user.token, take: async () => void (await given.change({ permissions: [] })) };
    },
  };
}

async function teamsOfRole(world: World, owner: Person, organization: Organization): Promise<Way> {
  const { user, id } = await inTeam(world, owner, organization);
  const given = await newRole(owner, organization, viewTeams);
  return {
    name: 'teams of a role',
    give: async () => {
      await given.change({ teamIDs: [id] });
      return { token: user.token, take: async () => void (await given.change({ teamIDs: [] })) };
    },
  };
}

async function roleDeleted(world: World, owner: Person, organization: Organization): Promise<Way> {
  const { user, change } = await inTeam(world, owner, organization);
  return {
    name: 'role deleted',
    give: async () => {
      const { id } = await newRole(owner, organization, viewTeams);
      await change({ assignedRoleIDs: [id] });
      const path = `/api/v1/authz/roles/${id}?org=${organization.username}`;
      return { token: user.token, take: async () => void (await done(() => owner.http.delete(path), [404])) };
    },
  };
}

async function flag(
  world: World, owner: Person, { teams }: Organization, which: 'admin' | 'prohibitLogin' | 'active',
): Promise<Way> {
  const user = await world.person();
  if (which !== 'admin') await world.join(owner, teams.Viewers, user);
  const { username } = user;
  const good = which !== 'prohibitLogin';
  const set = async (value: boolean) => {
    await answered(() => world.operator.admin.updateUser({ username, [which]: value }, specCall()));
  };
  return {
    name: `flag ${which}`,
    give: async () => {
      await set(good);
      return { token: user.token, take: () => set(!good) };
    },
  };
}

async function token(world: World, owner: Person, { teams }: Organization): Promise<Way> {
  const user = await world.person();
  await world.join(owner, teams.Viewers, user);
  return { name: 'token', give: () => newToken(world, { user: user.username, organization: '' }) };
}

function systemAdmin(world: World, { username }: Organization): Way {
  return { name: 'token of a system admin', give: () => newToken(world, { user: '', organization: username }) };
}

async function newToken({ operator }: World, holder: { user: string; organization: string }): Promise<Right> {
  const create = () => operator.admin.createToken({ ...holder, name: 'proof', expiresInSeconds: 0 }, specCall());
  const { token, id } = await answered(create);
  const revoke = () => operator.admin.revokeToken({ id }, specCall()).then(() => undefined, alreadyGone);
  return { token, take: () => answered(revoke) };
}
