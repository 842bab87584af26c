import type { HttpAnswer, HttpClient } from '@platform/testing';
import type { PlatformOptions } from '../platform.ts';
import { type Person, startWorld, type World } from './world.ts';

const names = ['owner', 'editor', 'viewer', 'otherOwner', 'stranger'] as const;
type Name = (typeof names)[number];
export type Caller = Name | 'systemAdmin' | 'siteAdmin' | 'nobody';

/** Two organizations with users of every right, for the specs of tokens. */
export interface TokenWorld extends Pick<World, 'platform' | 'operator' | 'database'>, AsyncDisposable {
  /** Ids of the organizations `acme` (type multi-cluster manager, private) and `other`. */
  readonly organizations: Readonly<Record<'acme' | 'other', number>>;
  /** Id of the hidden system admin of acme. */
  readonly systemAdminId: number;
  /** Users of acme by their rights, the owner of the other organization, a stranger, and the system admin of acme. */
  readonly as: Readonly<Record<Caller, HttpClient>>;
  readonly ids: Readonly<Record<Name, number>>;
}

export async function startTokenWorld(options: PlatformOptions = {}): Promise<TokenWorld> {
  const world = await startWorld(options);
  const made = await Promise.all(names.map(async (name) => [name, await world.person(name)] as const));
  const people = Object.fromEntries(made) as Record<Name, Person>;
  const byName = <Value>(pick: (person: Person) => Value) =>
    Object.fromEntries(made.map(([name, person]) => [name, pick(person)])) as Record<Name, Value>;
  const acme = await world.organization(people.owner, {
    username: 'acme', visibility: 'private', managerManagementClusterEndPoint: 'https://manager.example.org',
  });
  const other = await world.organization(people.otherOwner, { username: 'other' });
  await world.join(people.owner, acme.teams.Editors, people.editor);
  await world.join(people.owner, acme.teams.Viewers, people.viewer);
  return {
    ...world,
    organizations: { acme: acme.id, other: other.id },
    systemAdminId: acme.systemAdminId,
    ids: byName(({ id }) => id),
    as: {
      ...byName(({ http }) => http),
      systemAdmin: world.as(await world.operator.systemAdminToken('acme')),
      siteAdmin: world.siteAdmin.http,
      nobody: world.nobody,
    },
  };
}

/** Status and code of a refusal; status and body of any other answer. */
export function outcome(answer: HttpAnswer): readonly [number, string] {
  return [answer.status, answer.status < 400 ? answer.text : answer.json<{ code: string }>().code];
}
