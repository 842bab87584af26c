import { randomUUID } from 'node:crypto';
import { connect, type Database, sql } from '@platform/postgres';
import type { HttpAnswer, HttpClient } from '@platform/testing';
import { type Operator, operatorOf, type TestUser } from '../operator.ts';
import { organizationHosts, type PlatformOptions, type RunningPlatform, startPlatform } from '../platform.ts';

/** A user of a spec, with a client that calls as this user. */
export interface Person extends TestUser {
  readonly http: HttpClient;
}

/** An organization of a spec, with the ids of its initial teams. */
export interface Organization {
  readonly id: number;
  readonly username: string;
  readonly systemAdminId: number;
  readonly systemAdminName: string;
  readonly teams: Readonly<Record<'Owners' | 'Editors' | 'Viewers', number>>;
}

export interface PeopledOrganization {
  readonly organization: Organization;
  readonly boss: Person;
  readonly people: readonly Person[];
  /** `/api/v1/orgs/{orgname}`. */
  readonly path: string;
}

/** A running platform, the operator, and helpers for users and organizations. */
export interface World extends AsyncDisposable {
  readonly platform: RunningPlatform;
  readonly operator: Operator;
  /** The database of orgs-teams, for data that REST does not show. */
  readonly database: Database;
  /** A client without a token. */
  readonly nobody: HttpClient;
  readonly siteAdmin: Person;
  /** Makes a user; the name is generated unless given. */
  person(username?: string, options?: { admin?: boolean }): Promise<Person>;
  /** A client with this token. */
  as(token: string): HttpClient;
  /** Makes an organization over REST as this owner. */
  organization(owner: Person, given?: Readonly<Record<string, unknown>>): Promise<Organization>;
  /** Makes an organization with its own owner and this many members, all of them in Viewers. */
  organizationWith(count: number): Promise<PeopledOrganization>;
  /** Adds users to a team, as the owner. */
  join(owner: Person, teamId: number, ...people: readonly Person[]): Promise<void>;
}

export async function startWorld(options?: PlatformOptions): Promise<World> {
  const platform = await startPlatform(options);
  const operator = await operatorOf(platform);
  const { url, schema } = platform.databases['orgs-teams'];
  const database = connect({ url, schema, applicationName: 'spec', maxConnections: 5 });
  const as = (token: string) => platform.http.with({ authorization: `token ${token}` });
  let made = 0;
  const nameOf = (kind: string) => `${kind}-${(made += 1)}`;

  async function person(username = nameOf('person'), { admin = false } = {}): Promise<Person> {
    const user = await operator.user(username, { admin });
    return { ...user, http: as(user.token) };
  }

  async function organization(owner: Person, given: Readonly<Record<string, unknown>> = {}): Promise<Organization> {
    const answer = await owner.http.post('/api/v1/orgs', { json: { username: nameOf('org'), ...given } });
    if (answer.status !== 201) throw new Error(`the organization was refused: ${answer.text}`);
    const { id, username } = answer.json<{ id: number; username: string }>();
    const teams = await database.query(sql<{ id: number; name: string }>`
      select id, name from team where organization_id = ${id}`);
    const systemAdmin = await database.one(sql<{ id: number; name: string }>`
      select id, name from account where system_admin_of = ${id}`);
    return {
      id, username, systemAdminId: systemAdmin.id, systemAdminName: systemAdmin.name,
      teams: Object.fromEntries(teams.map((team) => [team.name, team.id])) as unknown as Organization['teams'],
    };
  }

  async function join(owner: Person, teamId: number, ...people: readonly Person[]): Promise<void> {
    for (const { username } of people) {
      const { status, text } = await owner.http.put(`/api/v1/teams/${teamId}/members/${username}`);
      if (status !== 204) throw new Error(`${username} was refused: ${text}`);
    }
  }

  const { id: adminId } = await database.one(sql<{ id: number }>`select id from account where name = 'platform-admin'`);
  return {
    platform, operator, database, as, person, organization, join,
    nobody: platform.http,
    siteAdmin: { id: adminId, username: 'platform-admin', token: platform.adminToken, http: as(platform.adminToken) },
    organizationWith: async (count) => {
      const boss = await person();
      const made = await organization(boss);
      const people = await Array.fromAsync({ length: count }, () => person());
      await join(boss, made.teams.Viewers, ...people);
      return { organization: made, boss, people, path: `/api/v1/orgs/${made.username}` };
    },
    [Symbol.asyncDispose]: async () => {
      await database[Symbol.asyncDispose]();
      await operator[Symbol.asyncDispose]();
    },
  };
}

/** A world with the organization Acme: its owner, a member of Viewers, and an outsider. */
export async function startAcme() {
  const world = await startWorld({ hosts: organizationHosts });
  const [owner, member] = [await world.person('owner'), await world.person('Member')];
  const [outsider, acme] = [await world.person('outsider'), await world.organization(owner, { username: 'Acme' })];
  await world.join(owner, acme.teams.Viewers, member);
  return { world, owner, member, outsider, acme };
}

/** Makes many requests at once. */
export function atOnce<Result>(count: number, make: (index: number) => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => make(index)));
}

/** Sorted outcomes of many requests of which one succeeds. */
export function oneOf(count: number, first: string, others: string): readonly string[] {
  return [first, ...Array.from({ length: count - 1 }, () => others)];
}

/** Logins in a list of users. */
export function loginsIn(answer: HttpAnswer): string[] {
  return answer.json<{ login: string }[]>().map(({ login }) => login);
}

/** Status of an answer, with the code of a refusal: `204`, `403 last_owner`. */
export function outcome(answer: HttpAnswer): string {
  return answer.status < 400 ? String(answer.status) : `${answer.status} ${answer.json<{ code: string }>().code}`;
}

/** The content of a refusal, without parts that differ between requests. */
export function refusal(answer: HttpAnswer): unknown {
  const { requestId, ...rest } = answer.json<Record<string, unknown>>();
  return { ...rest, hasRequestId: typeof requestId === 'string' };
}

/** Makes an access token of the caller with only these scopes (open-points 18.2). */
export async function narrowToken(client: HttpClient, ...scopes: readonly string[]): Promise<string> {
  const { login } = (await client.get('/api/v1/user')).json<{ login: string }>();
  const made = await client.post(`/api/v1/users/${login}/tokens`, { json: { name: randomUUID(), scopes } });
  if (made.status !== 201) throw new Error(`no token with ${scopes.join(' and ')}: ${made.status} ${made.text}`);
  return made.json<{ sha1: string }>().sha1;
}
