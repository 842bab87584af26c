import { randomUUID } from 'node:crypto';
import { AccountKind, type Caller, type OrganizationStanding, type Principal } from '@platform/proto/orgs/v1/identity';
import type { ObjectOwner } from '@platform/proto/owners/v1/owners';
import {
  administrativeTuples, assignmentTuple, fenceTuple, type ObjectType, type PairName, pairNames, pairOf,
  type RelationTuple, rolePairTuple, siteTuple, systemAdminTuple, teamMembers, type TeamPermission, teamRightTuple,
  userObject,
} from '@platform/relations';

/** A source of random values, from which a {@link World} is built and changed. */
interface Choices {
  integer(from: number, to: number): number;
  pick<T>(items: readonly T[]): T;
}

interface Team {
  readonly id: number;
  readonly isOwners: boolean;
  permission: TeamPermission;
  members: Set<number>;
  roles: Set<number>;
  revision: string;
}

interface Organization {
  readonly id: number;
  readonly administrative: boolean;
  readonly systemAdmin: number;
  readonly revision: string;
  readonly fence: string;
  readonly teams: Team[];
  readonly roles: Map<number, Set<PairName>>;
}

export interface OwnedObject {
  readonly type: ObjectType;
  readonly id: number;
  readonly owner: ObjectOwner;
}

/** Users, organizations and the objects that they own. */
export interface World {
  readonly users: readonly number[];
  readonly siteAdmins: Set<number>;
  readonly organizations: readonly Organization[];
  readonly objects: readonly OwnedObject[];
}

const permissions: readonly TeamPermission[] = ['admin', 'write', 'read', 'none', 'custom'];

/** @param firstId the ids of the world begin at `firstId + 1` */
export function randomWorld({ integer, pick }: Choices, firstId: number): World {
  let last = firstId;
  const nextId = () => (last += 1);
  const users = Array.from({ length: integer(3, 6) }, nextId);
  const some = (most: number) => new Set(Array.from({ length: integer(0, most) }, () => pick(users)));
  const organizations = Array.from({ length: integer(1, 3) }, (_, index): Organization => {
    const roles = new Map(Array.from({ length: integer(0, 3) }, () => [nextId(), randomPairs({ integer, pick })]));
    const teams = Array.from({ length: integer(1, 4) }, (__, place): Team => ({
      id: nextId(),
      isOwners: place === 0,
      permission: place === 0 ? 'owner' : pick(permissions),
      members: some(3),
      roles: place === 0 || roles.size === 0 ? new Set() : new Set([pick([...roles.keys()])]),
      revision: randomUUID(),
    }));
    return {
      id: nextId(), administrative: index === 0 && integer(1, 4) === 1, systemAdmin: nextId(), revision: randomUUID(),
      fence: randomUUID(), teams, roles,
    };
  });
  const siteAdmins = new Set(integer(1, 3) === 1 ? [pick(users)] : []);
  return { users, siteAdmins, organizations, objects: objectsIn(organizations, users, nextId) };
}

function randomPairs({ integer, pick }: Choices): Set<PairName> {
  return new Set(Array.from({ length: integer(0, 6) }, () => pick(pairNames)));
}

const kindsOfUsers = ['cluster', 'clusterset', 'contract', 'token'] as const;
const kindsOfOrganizations = [...kindsOfUsers, 'robot_ac'] as const;

function objectsIn(organizations: readonly Organization[], users: readonly number[], nextId: () => number) {
  const owned = (type: ObjectType, ownerId: number, id = nextId()): OwnedObject =>
    ({ type, id, owner: { id, ownerId, teamId: 0, isOwnersTeam: false } });
  const ofOrganizations = organizations.flatMap((organization) => [
    owned('organization', organization.id, organization.id),
    ...organization.teams.map(({ id, isOwners }): OwnedObject =>
      ({ type: 'team', id, owner: { id, ownerId: organization.id, teamId: id, isOwnersTeam: isOwners } })),
    owned('role', organization.id, [...organization.roles.keys()][0] ?? nextId()),
    ...kindsOfOrganizations.map((type) => owned(type, organization.id)),
  ]);
  const ofUsers = users.slice(0, 2).flatMap((user) =>
    [owned('user', user, user), ...kindsOfUsers.map((type) => owned(type, user))]);
  return [...ofOrganizations, ...ofUsers];
}

/** Makes one random change. If the rights of a team change, the team gets a new revision, as in orgs-teams. */
export function changeSomething(world: World, { integer, pick }: Choices): void {
  const organization = pick(world.organizations);
  const team = pick(organization.teams);
  const role = organization.roles.size === 0 ? undefined : pick([...organization.roles.keys()]);
  const change = integer(1, 5);
  if (change === 1 && !team.isOwners) {
    team.permission = pick(permissions);
    team.revision = randomUUID();
  } else if (change === 2 && role !== undefined && !team.isOwners) {
    if (!team.roles.delete(role)) team.roles.add(role);
    team.revision = randomUUID();
  } else if (change === 3 && role !== undefined) {
    organization.roles.set(role, randomPairs({ integer, pick }));
    for (const one of organization.teams) if (one.roles.has(role)) one.revision = randomUUID();
  } else {
    const user = pick(world.users);
    const changed = change === 4 ? world.siteAdmins : team.members;
    if (!changed.delete(user)) changed.add(user);
  }
}

/** The tuples that the engine should store. */
export function storedTuples({ organizations }: World): RelationTuple[] {
  return organizations.flatMap(({ id, administrative, systemAdmin, fence, teams, roles }) => [
    fenceTuple(id, fence), siteTuple(id), systemAdminTuple(id, systemAdmin),
    ...(administrative ? administrativeTuples(id) : []),
    ...teams.map((team) => teamRightTuple(id, team.id, team.permission)),
    ...teams.flatMap((team) => [...team.roles].map((role) => assignmentTuple(role, team.id))),
    ...[...roles].flatMap(([role, pairs]) => [...pairs].map((pair) => rolePairTuple(id, role, pairOf(pair)))),
  ]);
}

export function callerOf(world: World, accountId: number): Caller {
  const organization = world.organizations.find(({ systemAdmin }) => systemAdmin === accountId);
  return {
    id: accountId,
    login: `account-${accountId}`,
    kind: organization ? AccountKind.ACCOUNT_KIND_SYSTEM_ADMIN : AccountKind.ACCOUNT_KIND_PERSON,
    isAdmin: world.siteAdmins.has(accountId),
    tokenId: accountId,
    systemAdminOf: organization?.id ?? 0,
    scopes: ['all'],
  };
}

/** The standing that orgs-teams would return (authorization.md R1). */
export function standingOf(world: World, accountId: number, ownerId: number): OrganizationStanding {
  const organization = world.organizations.find(({ id }) => id === ownerId);
  return {
    id: ownerId,
    slug: `account-${ownerId}`,
    kind: organization ? AccountKind.ACCOUNT_KIND_ORGANIZATION : AccountKind.ACCOUNT_KIND_PERSON,
    visible: true,
    administrative: organization?.administrative ?? false,
    principals: organization ? principalsIn(organization, accountId) : [],
  };
}

function principalsIn(organization: Organization, accountId: number): Principal[] {
  if (accountId === organization.systemAdmin) {
    const user = userObject(accountId);
    return [{ user, revision: organization.revision, pending: false, teamId: 0, isOwners: false }];
  }
  return organization.teams
    .filter(({ members }) => members.has(accountId))
    .map(({ id, revision, isOwners }) => ({ user: teamMembers(id), revision, pending: false, teamId: id, isOwners }));
}
