import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readImage } from '@platform/proto/image';
import { readSurface, type Surface } from '@platform/surface';
import type { HttpAnswer, HttpClient } from '@platform/testing';
import { specCall } from '../operator.ts';
import { type PeopledOrganization, startWorld, type World } from '../orgs/world.ts';
import { rowDigest } from '../row-digest.ts';
import { type Case, casesOf } from './callers.ts';
import { type Call, callOn, names, type Names } from './foreign-calls.ts';

const surface: Surface = readSurface(await readImage());
const cases = surface.methods
  .filter(({ hosts: [host] }) => ['orgs-teams', 'authz'].includes(host!))
  .filter(({ http, access }) => http !== undefined && access.account)
  .flatMap(casesOf);

/** Members of an organization of their own, who call on things of another; nobody is one of them. */
const attackers = ['owner', 'viewer', 'system admin', 'nobody'] as const;

let world: World;
let clients: Record<(typeof attackers)[number] | 'insider', HttpClient>;
/** A private organization of others, the attackers' own one, and what is nowhere. */
let foreign: Names;
let own: Names;
let missing: Names;
/** All accounts of the others. */
let accounts: readonly number[];

beforeAll(async () => {
  world = await startWorld();
  const [theirs, ours] = [await world.organizationWith(2), await world.organizationWith(1)];
  const hidden = await theirs.boss.http.patch(theirs.path, { json: { visibility: 'private' } });
  expect(hidden.status).toBe(200);
  foreign = await namesIn(theirs);
  own = await namesIn(ours);
  const nowhere = 987_654_321;
  missing = {
    ...foreign,
    ...{ organization: 'no-such-organization', organizationId: nowhere, team: nowhere, role: nowhere, token: nowhere },
  };
  clients = {
    owner: ours.boss.http,
    viewer: ours.people[0]!.http,
    'system admin': world.as(await world.operator.systemAdminToken(ours.organization.username)),
    nobody: world.nobody,
    insider: theirs.boss.http,
  };
  const { id, systemAdminId } = theirs.organization;
  accounts = [id, systemAdminId, theirs.boss.id, ...theirs.people.map((person) => person.id)];
}, 120_000);
afterAll(async () => world?.[Symbol.asyncDispose]());

async function namesIn({ organization, boss, people }: PeopledOrganization): Promise<Names> {
  const { username, id, teams } = organization;
  const role = await boss.http.post(`/api/v1/authz/roles?org=${username}`, {
    json: {
      name: 'watcher', permissions: [{ namespace: 'team_mgmt', action: 'view teams' }], teamIDs: [teams.Editors],
    },
  });
  expect(role.status).toBe(201);
  const token = await world.operator.admin.createToken(
    { user: '', organization: username, name: 'theirs', expiresInSeconds: 0 },
    specCall(),
  );
  return {
    organization: username,
    organizationId: id,
    team: teams.Viewers,
    role: role.json<{ id: number }>().id,
    token: token.id,
    user: { id: people[0]!.id, username: people[0]!.username },
  };
}

const send = (client: HttpClient, { verb, path, json }: Call): Promise<HttpAnswer> =>
  client.send(verb, path, json === undefined ? {} : { json });

/** An answer byte for byte, but for its own request id, and in a success for the ids that the caller has named. */
function shown(answer: HttpAnswer): string {
  const headers = answer.headers
    .filter(([name]) => !/^(date|x-request-id|ratelimit.*)$/i.test(name))
    .map(([name, value]) => `${name.toLowerCase()}: ${value}`);
  const body = answer.text.replaceAll(answer.header('x-request-id')!, '{request}');
  if (answer.status >= 400) return [answer.status, ...headers, body].join('\n');
  // What it was asked about comes back as `objectID`, longer or shorter.
  const named = body.replaceAll(/"objectID":[0-9]+/g, '"objectID":{given}');
  return [answer.status, ...headers.filter((line) => !line.startsWith('content-length')), named].join('\n');
}

const rows = () => rowDigest(world.platform.databases['orgs-teams'], accounts);

async function compare(one: Case, there: Names, nowhere: Names): Promise<void> {
  const before = await rows();
  for (const attacker of attackers) {
    const answer = await send(clients[attacker], callOn(one, there));
    const expected = await send(clients[attacker], callOn(one, nowhere));
    expect([attacker, shown(answer)]).toEqual([attacker, shown(expected)]);
    expect([attacker, answer.status < 500]).toEqual([attacker, true]);
  }
  expect(await rows()).toEqual(before);
}

describe.each(cases.filter((one) => names(one, 'organization')).map((one) => [one.name, one] as const))(
  '%s in an organization of others',
  (_, one) => {
    it('answers as in one that is nowhere, and changes nothing there', async () => {
      await compare(one, foreign, missing);
    });
  },
);

describe.each(cases.filter((one) => names(one, 'object')).map((one) => [one.name, one] as const))(
  '%s on something of others',
  (_, one) => {
    it('answers as on something that is nowhere, and changes nothing there', async () => {
      const { organization, organizationId } = own;
      await compare(one, { ...foreign, organization, organizationId }, { ...missing, organization, organizationId });
    });
  },
);

describe('what is compared', () => {
  it('is there for those to whom it belongs', async () => {
    const reads = cases.filter(({ method }) => method.http!.verb === 'GET');
    const statuses = await Promise.all(reads.map(async (one) => {
      const { status } = await send(clients.insider, callOn(one, foreign));
      return [one.name, status] as const;
    }));
    // Neither shown to everybody nor of multi-cluster-manager origin: these two are not there for anybody.
    const absent = /CheckPublicMember|SyncToken/;
    expect(statuses.filter(([name, status]) => status >= 400 && !absent.test(name))).toEqual([]);
    expect(reads.length).toBeGreaterThan(10);
  });
});
