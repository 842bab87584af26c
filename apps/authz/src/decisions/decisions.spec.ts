import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { DecisionServiceService, type Tuple } from '@platform/proto/authz/v1/decision';
import { readImage } from '@platform/proto/image';
import {
  assignmentTuple, catalogue, fenceTuple, organizationObject, pairRelation, rolePairTuple, siteTuple, systemAdminTuple,
  teamMembers, teamRightTuple, userObject,
} from '@platform/relations';
import { connect, type OutgoingContext, type RpcClient } from '@platform/rpc';
import { deadlineIn, Secret } from '@platform/service';
import { readSurface, type Surface } from '@platform/surface';
import { openFgaStore, type StartedService, startService, testSecret } from '@platform/testing';

const credential = testSecret();
let surface: Surface;
let service: StartedService;
let authz: RpcClient<typeof DecisionServiceService>;

beforeAll(async () => {
  surface = readSurface(await readImage());
  const store = await openFgaStore();
  service = await startService('authz', {
    ...store.settings, 'secrets.serviceCredential': credential, 'services.orgsTeams': '127.0.0.1:1',
  });
  authz = client(credential);
}, 120_000);

function client(secret: string): RpcClient<typeof DecisionServiceService> {
  const addresses = [service.addresses['grpc']!];
  return connect(DecisionServiceService, { surface, name: 'authz', addresses, serviceCredential: new Secret(secret) });
}

const call = (): OutgoingContext => ({ requestId: randomUUID(), deadline: deadlineIn(10_000) });
const write = (writes: Tuple[], deletes: Tuple[] = []) => authz.writeTuples({ writes, deletes }, call());
const ofOrganization = (organizationId: number) =>
  ({ object: organizationObject(organizationId), relation: '', user: '' });
const read = async (organizationId: number) =>
  (await authz.readTuples({ filters: [ofOrganization(organizationId)], pageToken: '', pageSize: 0 }, call())).tuples;
const sorted = (tuples: readonly Tuple[]) =>
  tuples.map(({ object, relation, user }) => `${object}#${relation}@${user}`).sort();

describe('AskGrounds', () => {
  const organizationId = 1;
  const revision = randomUUID();
  const pair = catalogue[2]!;

  beforeAll(() => write([
    teamRightTuple(organizationId, 7, 'read'), teamRightTuple(organizationId, 8, 'owner'),
    teamRightTuple(organizationId, 6, 'custom'), assignmentTuple(5, 6), rolePairTuple(organizationId, 5, pair),
    systemAdminTuple(organizationId, 9), siteTuple(organizationId), fenceTuple(organizationId, revision),
  ]));

  const ask = (principal: string, of = organizationId) => authz.askGrounds({ principal, organizationId: of }, call());

  it('answers on which grounds a principal stands, by which model, and the fence', async () => {
    const { modelId } = await authz.getModel({}, call());
    expect(await ask(teamMembers(7))).toEqual({ grounds: ['member', 'viewer'], modelId, fence: revision });
  });

  it('distinguishes ranks, roles and the system admin', async () => {
    expect((await ask(teamMembers(8))).grounds).toEqual(['member', 'viewer', 'editor', 'admin', 'owner']);
    expect((await ask(teamMembers(6))).grounds).toEqual(['member', pairRelation(pair)]);
    expect((await ask(userObject(9))).grounds).toEqual(['member', 'viewer', 'system_admin']);
    expect((await ask(teamMembers(77))).grounds).toEqual([]);
  });

  it('answers an empty fence for a store that lost the organization', async () => {
    expect(await ask(teamMembers(7), 4040)).toMatchObject({ grounds: [], fence: '' });
  });

  it.each([
    ['a user in the form of a name', 'user:ann', 1],
    ['a team without its members', 'team:7', 1],
    ['everybody', 'user:*', 1],
    ['no organization', 'team:7#member', 0],
    ['a negative organization', 'team:7#member', -1],
  ])('refuses %s', async (_what, principal, of) => {
    await expect(ask(principal, of)).rejects.toMatchObject({ reason: 'INVALID_PARAMETER' });
  });
});

describe('WriteTuples', () => {
  it('refuses whole what is there already, and what is missing', async () => {
    const [there, missing, fresh] = [1, 2, 3].map((team) => teamRightTuple(20, team, 'admin'));
    await write([there!]);
    await expect(write([fresh!, there!])).rejects.toMatchObject({ reason: 'CONFLICT' });
    await expect(write([fresh!], [missing!])).rejects.toMatchObject({ reason: 'CONFLICT' });
    expect(sorted(await read(20))).toEqual(sorted([there!]));
  });

  it('refuses whole what names a tuple twice, to write, to delete, or both', async () => {
    const [there, fresh] = [1, 2].map((team) => teamRightTuple(24, team, 'admin')) as [Tuple, Tuple];
    await write([there]);
    for (const [writes, deletes] of [[[fresh, fresh], []], [[fresh], [there, there]], [[fresh, there], [there]]]) {
      await expect(write(writes!, deletes)).rejects.toMatchObject({ reason: 'INVALID_PARAMETER' });
    }
    expect(sorted(await read(24))).toEqual(sorted([there]));
  });

  it('lets one of many that change the same tuple through', async () => {
    const before = fenceTuple(21, randomUUID());
    await write([before]);
    const tries = Array.from({ length: 8 }, () => fenceTuple(21, randomUUID()));
    const outcomes = await Promise.allSettled(tries.map((next) => write([next], [before])));
    const done = tries.filter((_, index) => outcomes[index]!.status === 'fulfilled');
    expect(done).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ reason: 'CONFLICT' });
    }
    expect(sorted(await read(21))).toEqual(sorted(done));
  });

  it('takes 100 tuples and no more', async () => {
    const tuples = Array.from({ length: 101 }, (_, index) => teamRightTuple(22, index + 1, 'read'));
    await expect(write(tuples)).rejects.toMatchObject({ reason: 'INVALID_PARAMETER' });
    await write(tuples.slice(1));
    expect(await read(22)).toHaveLength(100);
    await expect(write([])).rejects.toMatchObject({ reason: 'INVALID_PARAMETER' });
  });

  it.each<[string, Tuple]>([
    ['a relation it does not have', { user: 'team:1#member', relation: 'can_edit', object: 'organization:23' }],
    ['a kind it does not have', { user: 'team:1#member', relation: 'owner', object: 'planet:23' }],
    ['a user of the wrong kind', { user: 'user:1', relation: 'owner', object: 'organization:23' }],
    ['no tuple', { user: '', relation: '', object: '' }],
  ])('refuses what the model has no place for: %s', async (_what, tuple) => {
    await expect(write([tuple])).rejects.toMatchObject({ reason: 'INVALID_PARAMETER' });
    expect(await read(23)).toEqual([]);
  });
});

describe('ReadTuples', () => {
  const tuples = Array.from({ length: 230 }, (_, index) => teamRightTuple(30, index + 1, 'write'));

  beforeAll(async () => {
    for (let from = 0; from < tuples.length; from += 100) await write(tuples.slice(from, from + 100));
  });

  it('reads everything of an object, however much it is', async () => {
    expect(sorted(await read(30))).toEqual(sorted(tuples));
  });

  it('reads page by page', async () => {
    const pages: Tuple[][] = [];
    let pageToken = '';
    do {
      const page = await authz.readTuples({ filters: [ofOrganization(30)], pageToken, pageSize: 90 }, call());
      pages.push(page.tuples);
      pageToken = page.pageToken;
    } while (pageToken !== '');
    expect(pages.map((page) => page.length)).toEqual([90, 90, 50]);
    expect(sorted(pages.flat())).toEqual(sorted(tuples));
  });

  it('reads by several filters, each tuple once', async () => {
    const filters = [
      { object: 'organization:30', relation: '', user: teamMembers(1) },
      { object: 'organization:', relation: '', user: teamMembers(1) },
      { object: 'organization:30', relation: 'editor', user: teamMembers(2) },
    ];
    const found = await authz.readTuples({ filters, pageToken: '', pageSize: 0 }, call());
    const here = found.tuples.filter(({ object }) => object === 'organization:30');
    expect(sorted(here)).toEqual(sorted(tuples.slice(0, 2)));
    expect(new Set(sorted(found.tuples)).size).toBe(found.tuples.length);
  });

  it('reads the whole store for repair', async () => {
    const everything = { object: '', relation: '', user: '' };
    const { tuples: all } = await authz.readTuples({ filters: [everything], pageToken: '', pageSize: 0 }, call());
    expect(sorted(all)).toEqual(expect.arrayContaining(sorted(tuples)));
  });

  it.each([
    ['no filter', [], 0],
    ['pages of two filters', [ofOrganization(1), ofOrganization(2)], 10],
    ['a relation of nothing', [{ object: '', relation: 'owner', user: '' }], 0],
    ['a kind without a user', [{ object: 'organization:', relation: '', user: '' }], 0],
    ['what is no object', [{ object: 'organization', relation: 'owner', user: '' }], 0],
  ])('refuses %s', async (_what, filters, pageSize) => {
    await expect(authz.readTuples({ filters, pageToken: '', pageSize }, call()))
      .rejects.toMatchObject({ reason: 'INVALID_PARAMETER' });
  });
});

describe('the service', () => {
  it('takes no call without its credential', async () => {
    const stranger = client(testSecret());
    await expect(stranger.getModel({}, call())).rejects.toMatchObject({ reason: 'UNAUTHENTICATED' });
    await expect(stranger.writeTuples({ writes: [teamRightTuple(40, 1, 'owner')], deletes: [] }, call()))
      .rejects.toMatchObject({ reason: 'UNAUTHENTICATED' });
    await stranger[Symbol.asyncDispose]();
    expect(await read(40)).toEqual([]);
  });

  it('is ready while the engine answers', async () => {
    const report = await fetch(`http://${service.addresses['admin']}/readyz`);
    expect(report.status).toBe(200);
  });
});
