import { sql } from '@platform/postgres';
import { until } from '@platform/testing';
import type { Organization, Person, World } from '../src/orgs/world.ts';

/** Rights that are granted and revoked during a fault, and the answers that their holders get. */
export interface Rights {
  /** Grants and revokes all of them. Returns how many changes were accepted. */
  change(): Promise<number>;
  /** Makes a request for each changed right. Returns the wrong answers. */
  wrongs(): Promise<string[]>;
  /** Waits until all answers agree with the rows. */
  known(within: number): Promise<void>;
}

interface Right {
  readonly name: string;
  readonly before: number;
  readonly after: number;
  /** Makes a request that needs the right; returns its status. */
  use(): Promise<number>;
  /** Grants or revokes the right; returns the status. */
  change(): Promise<number>;
  changed: boolean;
}

/** Makes an organization with a right of each kind: by membership, by a team's permission, by a role. */
export async function prepareRights(world: World): Promise<Rights> {
  const owner = await world.person();
  const organization = await world.organization(owner);
  const rights = await Promise.all([
    byMembership(world, owner, organization), byTeam(world, owner, organization, { gives: false }),
    byTeam(world, owner, organization, { gives: true }), byRole(world, owner, organization),
  ]);
  // Ask until the replicas have cached the rights; several times, because replicas take turns.
  for (const { use, name, before } of rights) {
    let inARow = 0;
    await until(async () => {
      inARow = (await use()) === before ? inARow + 1 : 0;
      return inARow === 6;
    }, { within: 60_000, what: `${name} is answered ${before}` });
  }
  const renamed = await Promise.all(Array.from({ length: 6 }, () =>
    owner.http.patch(`/api/v1/teams/${organization.teams.Editors}`, { json: { name: 'Editors', permission: 'write' } })));
  if (renamed.some(({ status }) => status !== 200)) throw new Error('the owner may not change the team');
  await settled(world);
  return {
    change: async () => {
      const statuses = await Promise.all(rights.map(async (right) => {
        const status = await right.change();
        right.changed = status < 400;
        return status;
      }));
      return statuses.filter((status) => status < 400).length;
    },
    wrongs: async () => {
      const found = await Promise.all(rights.filter(({ changed }) => changed).map(async ({ name, after, use }) => {
        const status = await use();
        return status === after || status === 503 ? [] : [`${name}: changed, and answered ${status}`];
      }));
      return found.flat();
    },
    known: async (within) => {
      const changed = rights.filter((right) => right.changed);
      const answered = async () => (await Promise.all(changed.map(async ({ use, after }) => (await use()) === after)));
      await until(async () => (await answered()).every(Boolean), { within, what: 'everybody is answered by the rows' });
    },
  };
}

const list = ({ http }: Person, { username }: Organization) => async () =>
  (await http.get(`/api/v1/orgs/${username}/teams`)).status;

async function byMembership(world: World, owner: Person, organization: Organization): Promise<Right> {
  const person = await world.person();
  await world.join(owner, organization.teams.Viewers, person);
  return {
    name: 'a membership taken', before: 200, after: 403, changed: false, use: list(person, organization),
    change: async () =>
      (await owner.http.delete(`/api/v1/teams/${organization.teams.Viewers}/members/${person.username}`)).status,
  };
}

async function byTeam(
  world: World, owner: Person, organization: Organization, { gives }: { gives: boolean },
): Promise<Right> {
  const person = await world.person();
  const name = gives ? 'Given' : 'Taken';
  const [before, after] = gives ? ['custom', 'read'] : ['read', 'custom'];
  const team = await madeTeam(owner, organization, name, before!);
  await world.join(owner, team, person);
  return {
    name: `a team's right ${gives ? 'given' : 'taken'}`,
    ...(gives ? { before: 403, after: 200 } : { before: 200, after: 403 }),
    changed: false,
    use: list(person, organization),
    change: async () => (await owner.http.patch(`/api/v1/teams/${team}`, { json: { name, permission: after } })).status,
  };
}

async function byRole(world: World, owner: Person, organization: Organization): Promise<Right> {
  const person = await world.person();
  const name = 'Watchers';
  const team = await madeTeam(owner, organization, name, 'custom');
  const permissions = [{ namespace: 'team_mgmt', action: 'view teams' }];
  const role = await made(owner, `/api/v1/authz/roles?org=${organization.username}`, { name, permissions, teamIDs: [team] });
  await world.join(owner, team, person);
  return {
    name: 'a role deleted', before: 200, after: 403, changed: false, use: list(person, organization),
    change: async () => (await owner.http.delete(`/api/v1/authz/roles/${role}?org=${organization.username}`)).status,
  };
}

/**
 * Makes a team with the permission `read`, then changes the permission. A team with the permission `custom` has only
 * the rights of its roles.
 */
async function madeTeam(owner: Person, { username }: Organization, name: string, permission: string): Promise<number> {
  const team = await made(owner, `/api/v1/orgs/${username}/teams`, { name, type: 'kubernetes', permission: 'read' });
  const { status, text } = await owner.http.patch(`/api/v1/teams/${team}`, { json: { name, permission } });
  if (status !== 200) throw new Error(text);
  return team;
}

async function made({ http }: Person, path: string, json: unknown): Promise<number> {
  const answer = await http.post(path, { json });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.json<{ id: number }>().id;
}

/** Waits until the engine has everything that the rows contain now; later changes may be pending. */
export async function settled({ database }: World, within = 60_000): Promise<void> {
  const { last } = await database.one(sql<{ last: number }>`
    select coalesce(max(id), 0) as "last" from projection_pending`);
  await until(async () => {
    const { waits } = await database.one(sql<{ waits: boolean }>`
      select exists (select from projection_pending where id <= ${last}) as "waits"`);
    return !waits;
  }, { within, what: 'what waited is written to the engine' });
}
