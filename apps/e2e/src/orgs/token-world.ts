import { connect, type Database, sql } from '@platform/postgres';
import { type HttpAnswer, type HttpClient, type ServiceSettings } from '@platform/testing';
import { type Operator, operatorOf } from '../operator.ts';
import { type PlatformOptions, type RunningPlatform, startPlatform } from '../platform.ts';

/** Two organizations with users of every right, for the specs of tokens. */
export interface TokenWorld extends AsyncDisposable {
  readonly platform: RunningPlatform;
  readonly operator: Operator;
  readonly database: Database;
  /** Ids of the organizations `acme` (type multi-cluster manager, private) and `other`. */
  readonly organizations: Readonly<Record<'acme' | 'other', number>>;
  /** Users of acme by their rights, the owner of the other organization, a stranger, and the system admin of acme. */
  readonly as: Readonly<Record<Caller, HttpClient>>;
  readonly ids: Readonly<Record<Exclude<Caller, 'systemAdmin' | 'siteAdmin' | 'nobody'>, number>>;
}

export type Caller = 'owner' | 'editor' | 'viewer' | 'otherOwner' | 'stranger' | 'systemAdmin' | 'siteAdmin' | 'nobody';

export async function startTokenWorld(
  options: PlatformOptions & { settings?: ServiceSettings } = {},
): Promise<TokenWorld> {
  const platform = await startPlatform(options);
  const operator = await operatorOf(platform);
  const { url, schema } = platform.databases['orgs-teams'];
  const database = connect({ url, schema, applicationName: 'spec' });
  const withToken = (token: string) => platform.http.with({ authorization: `token ${token}` });
  const names = ['owner', 'editor', 'viewer', 'otherOwner', 'stranger'] as const;
  const people = await Promise.all(names.map((name) => operator.user(name)));
  const clients = Object.fromEntries(people.map(({ username, token }) => [username, withToken(token)]));
  const ids = Object.fromEntries(people.map(({ username, id }) => [username, id])) as TokenWorld['ids'];

  async function organization(owner: string, json: object): Promise<number> {
    const created = await clients[owner]!.post('/api/v1/orgs', { json });
    if (created.status !== 201) throw new Error(created.text);
    return created.json<{ id: number }>().id;
  }
  const acme = await organization('owner', {
    username: 'acme', visibility: 'private', managerManagementClusterEndPoint: 'https://manager.example.org',
  });
  const other = await organization('otherOwner', { username: 'other' });
  for (const [name, team] of [['editor', 'Editors'], ['viewer', 'Viewers']] as const) {
    await database.execute(sql`
      insert into team_member (team_id, user_id, organization_id)
      select id, ${ids[name]}, ${acme} from team where organization_id = ${acme} and name = ${team}`);
  }
  return {
    platform,
    operator,
    database,
    organizations: { acme, other },
    ids,
    as: {
      ...(clients as Record<(typeof names)[number], HttpClient>),
      systemAdmin: withToken(await operator.systemAdminToken('acme')),
      siteAdmin: withToken(platform.adminToken),
      nobody: platform.http,
    },
    [Symbol.asyncDispose]: async () => {
      await database[Symbol.asyncDispose]();
      await operator[Symbol.asyncDispose]();
    },
  };
}

/** Status and code of a refusal; status and body of any other answer. */
export function outcome(answer: HttpAnswer): readonly [number, string] {
  if (answer.status < 400) return [answer.status, answer.text];
  return [answer.status, answer.json<{ code: string }>().code];
}

/** Id of an organization's hidden system admin. */
export async function systemAdminOf({ database }: TokenWorld, organizationId: number): Promise<number> {
  const { id } = await database.one(sql<{ id: number }>`select id from account where system_admin_of = ${organizationId}`);
  return id;
}
