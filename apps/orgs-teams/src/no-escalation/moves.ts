import type { Pair } from '@platform/relations';
import { as, type SeededRandom } from '@platform/testing';
import type { TestPlatform, TestUser } from '../fixtures/platform.ts';
import { type TestOrganization, wholeCatalogue } from '../fixtures/structure.ts';

/** What one who tries to gain rights knows and plays with. */
export interface Game {
  readonly platform: TestPlatform;
  readonly organization: TestOrganization;
  readonly caller: TestUser;
  /** The pair he was given: more likely than others in what he asks for. */
  readonly pair: Pair;
  readonly chance: SeededRandom;
  /** Ids he may name, those that are gone among them. */
  readonly roles: number[];
  readonly teams: number[];
}

/** One call of the caller with something he chose; what it makes is played with later. */
export type Move = (game: Game) => Promise<unknown>;

const list = <Item>(items: readonly Item[]) => ({ items: [...items] });
const maybe = <Value>(chance: SeededRandom, value: () => Value): Value | undefined =>
  (chance.chance(0.5) ? value() : undefined);
const some = <Item>(chance: SeededRandom, items: readonly Item[], most: number): Item[] =>
  chance.shuffle(items).slice(0, chance.integer(0, most));
const nameOf = ({ chance }: Game) => `n${chance.integer(0, 1_000_000)}`;

function pairs({ chance, pair }: Game): Pair[] {
  return [...(chance.chance(0.7) ? [pair] : []), ...some(chance, wholeCatalogue, chance.chance(0.5) ? 0 : 3)];
}

const rights = ['read', 'write', 'admin'] as const;

/** Every call that changes what teams may do, and the one that makes him a member of another. */
export const moves: readonly Move[] = [
  async (game) => {
    const { platform, organization, caller, chance } = game;
    const teamIds = maybe(chance, () => list(some(chance, game.teams, 2)));
    const role = { name: nameOf(game), permissions: list(pairs(game)), teamIds };
    game.roles.push((await platform.roles.createRole({ org: organization.name, role }, as(caller.token))).id);
  },
  (game) => {
    const { platform, organization, caller, chance } = game;
    const role = {
      name: maybe(chance, () => nameOf(game)),
      permissions: maybe(chance, () => list(pairs(game))),
      teamIds: maybe(chance, () => list(some(chance, game.teams, 3))),
    };
    return platform.roles.updateRole({ org: organization.name, id: chance.pick(game.roles), role }, as(caller.token));
  },
  ({ platform, organization, caller, chance, roles }) =>
    platform.roles.deleteRole({ org: organization.name, id: chance.pick(roles) }, as(caller.token)),
  async (game) => {
    const { platform, organization, caller, chance } = game;
    const team = {
      orgname: organization.name, name: nameOf(game), type: 'kubernetes',
      permission: maybe(chance, () => chance.pick(rights)),
      assignedRoleIds: maybe(chance, () => list(some(chance, game.roles, 3))),
    };
    game.teams.push((await platform.teams.createTeam(team, as(caller.token))).id);
  },
  (game) => {
    const { platform, caller, chance } = game;
    const team = {
      teamid: chance.pick(game.teams), name: nameOf(game),
      permission: maybe(chance, () => chance.pick([...rights, 'custom'])),
      assignedRoleIds: maybe(chance, () => list(some(chance, game.roles, 3))),
    };
    return platform.teams.updateTeam(team, as(caller.token));
  },
  ({ platform, caller, chance, teams }) =>
    platform.teams.deleteTeam({ teamid: chance.pick(teams) }, as(caller.token)),
  // Into a team, his own included: what a team gives must be held by who adds to it.
  ({ platform, caller, chance, teams }) => platform.teamMembers.addTeamMember(
    { teamid: chance.pick(teams), username: caller.name }, as(caller.token),
  ),
];
