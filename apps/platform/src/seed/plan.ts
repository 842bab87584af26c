import type { MembershipToPut, OrganizationToPut, TeamToPut, UserToPut } from '@platform/proto/orgs/v1/bulk';
import type { ClusterToPut } from '@platform/proto/clusters/v1/owners';
import type { ContractToPut } from '@platform/proto/contracts/v1/owners';
import { type Derive, deriveFrom } from './derive.ts';

/** Options of `platform seed` that determine the created data (operator.md §3). */
export interface SeedSize {
  readonly users: number;
  readonly organizations: number;
  /** Teams of each organization, including Owners, Editors and Viewers; fewer than three count as three. */
  readonly teams: number;
  /** Members of each organization, including its owner; at most `users`. */
  readonly members: number;
  /** Clusters of each organization. */
  readonly clusters: number;
  /** Contracts of each organization. */
  readonly contracts: number;
  /** Objects of each cluster; each object represents a database. */
  readonly objects: number;
  readonly months: number;
  readonly seed: string;
}

/** What `platform seed` creates. `index` is the number of a user or organization, counted from 0. */
export interface SeedPlan {
  readonly derive: Derive;
  user(index: number): UserToPut;
  /** @param userIds ids of all users, by index */
  organization(index: number, userIds: readonly number[]): OrganizationToPut;
  /** The teams of each organization, except Owners. */
  readonly teams: readonly TeamToPut[];
  /** @param teamIds ids of the teams, in the order of `teams` */
  memberships(index: number, teamIds: readonly number[], userIds: readonly number[]): MembershipToPut[];
  clusters(index: number, organizationId: number): ClusterToPut[];
  /** Contracts of an organization, with their clusters. Each contract begins before the first event of any object. */
  contracts(index: number, organizationId: number): ContractToPut[];
}

const monthSeconds = 31 * 24 * 60 * 60;
/** Every n-th member is also in a second team. */
const secondTeamOfEvery = 5;

const givenNames = [
  'Ada', 'Amara', 'Björn', 'Carlos', 'Chidi', 'Elif', 'Farah', 'Grace', 'Hana', 'Ivan', 'Jürgen', 'Kamala', 'Linus',
  'Mei', 'Nadia', 'Olga', 'Priya', 'Rashid', 'Søren', 'Tuva', 'Yuki', 'Zoë',
] as const;
const familyNames = [
  'Abara', 'Bernstein', 'Chowdhury', 'Dijkstra', 'Eriksen', 'Fernández', 'Ghosh', 'Hopper', 'Ito', 'Jansen', 'Kaya',
  'Liskov', 'Mbeki', 'Novák', 'Okafor', 'Petrova', 'Rahman', 'Suzuki', 'Turing', 'Weiß',
] as const;
const trades = [
  'Analytics', 'Bank', 'Energy', 'Foods', 'Health', 'Labs', 'Logistics', 'Media', 'Robotics', 'Telecom',
] as const;
const rights = ['read', 'write', 'read', 'admin'] as const;

/** Plans what `platform seed` creates. The same options give the same plan, except the dates of contracts. */
export function planSeed({ users, teams, members, clusters, contracts, months, seed }: SeedSize): SeedPlan {
  const derive = deriveFrom(seed);
  const person = (what: string): string =>
    `${derive.pick(`${what}/given`, givenNames)} ${derive.pick(`${what}/family`, familyNames)}`;
  const organizationName = (index: number): string => `seed-${seed}-organization-${index + 1}`;
  /**
   * Returns the index of the user who is member number `place` of an organization. The members of an organization are
   * consecutive users. The name of the organization determines the first of them.
   */
  const member = (index: number, place: number): number =>
    (derive.integer(`${organizationName(index)}/members`, users) + place) % users;
  const own: readonly TeamToPut[] = [
    { name: 'Editors', description: 'May change what the organization has.', permission: 'write' },
    { name: 'Viewers', description: 'May see what the organization has.', permission: 'read' },
    ...Array.from({ length: Math.max(0, teams - 3) }, (_, place) => ({
      name: `team-${place + 1}`, description: '', permission: rights[place % rights.length]!,
    })),
  ];
  const clusterUid = (index: number, place: number): string =>
    derive.uuid(`${organizationName(index)}/cluster/${place}`);
  const start = Math.floor(Date.now() / 1000) - months * monthSeconds;
  return {
    derive,
    teams: own,
    user: (index) => {
      const username = `seed-${seed}-user-${index + 1}`;
      return { username, email: `${username}@example.org`, fullName: person(username) };
    },
    organization: (index, userIds) => {
      const username = organizationName(index);
      return {
        username,
        fullName: `${derive.pick(`${username}/founder`, familyNames)} ${derive.pick(`${username}/trade`, trades)}`,
        description: 'Made by platform seed.',
        ownerId: userIds[member(index, 0)]!,
      };
    },
    memberships: (index, teamIds, userIds) =>
      Array.from({ length: members - 1 }, (_, before) => {
        const userId = userIds[member(index, before + 1)]!;
        const first = before % teamIds.length;
        const isInTwo = teamIds.length > 1 && before % secondTeamOfEvery === 0;
        const places = isInTwo ? [first, (first + 1) % teamIds.length] : [first];
        return places.map((place) => ({ teamId: teamIds[place]!, userId }));
      }).flat(),
    clusters: (index, organizationId) =>
      Array.from({ length: clusters }, (_, place) => ({
        uid: clusterUid(index, place),
        ownerId: organizationId,
        name: `cluster-${place + 1}`,
        displayName: `Cluster ${place + 1}`,
      })),
    contracts: (index, organizationId) =>
      Array.from({ length: contracts }, (_, place) => ({
        idempotencyKey: derive.uuid(`${organizationName(index)}/contract/${place}`),
        ownerId: organizationId,
        name: `Contract ${place + 1}`,
        product: 'productdb',
        start,
        end: start + (months + 12) * monthSeconds,
        clusters: Array.from({ length: clusters }, (_, number) => number)
          .filter((number) => number % contracts === place).map((number) => clusterUid(index, number)),
      })),
  };
}
