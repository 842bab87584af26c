import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TeamServiceService } from '@platform/proto/orgs/v1/team';
import type { Pair } from '@platform/relations';
import type { RpcClient } from '@platform/rpc';
import { as, rpcClient, until } from '@platform/testing';
import { reasonOf, startPlatform, type TestPlatform, type TestUser } from '../fixtures/platform.ts';
import { memberOf, roleOf, teamOf, testOrganization, type TestOrganization } from '../fixtures/structure.ts';

let platform: TestPlatform;
/** Clients of each replica of the same service. */
let replicas: RpcClient<typeof TeamServiceService>[];
beforeAll(async () => {
  platform = await startPlatform({ replicas: 2 });
  const services = [platform.service, ...platform.others];
  replicas = await Promise.all(services.map((service) => rpcClient(TeamServiceService, service)));
}, 120_000);
afterAll(() => platform[Symbol.asyncDispose]());

const rounds = 5;

/** Returns the answer of each replica. Repeats a call that gets UNAVAILABLE, because the engine may be slow. */
function decided(call: (replica: RpcClient<typeof TeamServiceService>) => Promise<unknown>): Promise<string[]> {
  return Promise.all(replicas.map((replica) => until(async () => {
    const reason = await reasonOf(call(replica));
    return reason === 'UNAVAILABLE' ? undefined : reason;
  }, { within: 30_000, what: 'the replica decides' })));
}

const viewTeams: Pair = { namespace: 'team_mgmt', action: 'view teams' };
const viewRoles: Pair = { namespace: 'role_mgmt', action: 'view roles' };
const list = <Item>(...items: Item[]) => ({ items });

interface Scene {
  readonly organization: TestOrganization;
  readonly team: number;
  readonly member: TestUser;
}

/** One way to grant the right to list teams and to revoke it. */
interface Way {
  readonly name: string;
  begin(scene: Scene): Promise<{ give(): Promise<unknown>; take(): Promise<unknown> }>;
}

const ways: readonly Way[] = [
  {
    name: 'a role is given to the team and taken from it, from the side of the role',
    begin: async ({ organization, team }) => {
      const id = await roleOf(platform, organization, [viewTeams]);
      const set = (...teams: number[]) => platform.roles.updateRole(
        { org: organization.name, id, role: { teamIds: list(...teams) } }, as(organization.owner.token),
      );
      return { give: () => set(team), take: () => set() };
    },
  },
  {
    name: 'a role is given to the team and taken from it, from the side of the team',
    begin: async ({ organization, team }) => {
      const id = await roleOf(platform, organization, [viewTeams]);
      const set = (...roles: number[]) => platform.teams.updateTeam(
        { teamid: team, name: 'scene', assignedRoleIds: list(...roles) }, as(organization.owner.token),
      );
      return { give: () => set(id), take: () => set() };
    },
  },
  {
    name: 'the pair is added to a role of the team and taken out of it',
    begin: async ({ organization, team }) => {
      const id = await roleOf(platform, organization, [viewRoles], [team]);
      const set = (...pairs: Pair[]) => platform.roles.updateRole(
        { org: organization.name, id, role: { permissions: list(...pairs) } }, as(organization.owner.token),
      );
      return { give: () => set(viewTeams, viewRoles), take: () => set(viewRoles) };
    },
  },
  {
    name: 'a role is made for the team and deleted',
    begin: async ({ organization, team }) => {
      let id = 0;
      return {
        give: async () => {
          id = await roleOf(platform, organization, [viewTeams], [team]);
        },
        take: () => platform.roles.deleteRole({ org: organization.name, id }, as(organization.owner.token)),
      };
    },
  },
  {
    name: 'the right of the team is raised and taken away',
    begin: async ({ organization, team }) => {
      const set = (permission: string) =>
        platform.teams.updateTeam({ teamid: team, name: 'scene', permission }, as(organization.owner.token));
      return { give: () => set('read'), take: () => set('custom') };
    },
  },
];

describe('the very next request, on either replica', () => {
  it.each(ways.map((way) => [way.name, way] as const))('%s', async (_, way) => {
    const organization = await testOrganization(platform);
    const team = await teamOf(platform, organization);
    const member = await memberOf(platform, team);
    const { give, take } = await way.begin({ organization, team, member });
    const use = () => decided((replica) => replica.listTeams({ orgname: organization.name }, as(member.token)));
    const seen: string[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await give();
      seen.push(...await use());
      await take();
      seen.push(...await use());
    }
    expect(seen).toEqual(Array.from({ length: rounds }, () => ['OK', 'OK', 'FORBIDDEN', 'FORBIDDEN']).flat());
  });

  it('the team is deleted: who was in it is no member any more', async () => {
    const organization = await testOrganization(platform);
    for (let round = 0; round < rounds; round += 1) {
      const role = await roleOf(platform, organization, [viewTeams]);
      const team = await teamOf(platform, organization, role);
      const member = await memberOf(platform, team);
      const use = () => decided((replica) => replica.listTeams({ orgname: organization.name }, as(member.token)));
      expect(await use()).toEqual(['OK', 'OK']);
      await platform.teams.deleteTeam({ teamid: team }, as(organization.owner.token));
      expect(await use()).toEqual(['NOT_ORG_MEMBER', 'NOT_ORG_MEMBER']);
    }
  });
});
