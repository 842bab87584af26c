import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { DecisionServiceService, ObjectClass, type Tuple } from '@platform/proto/authz/v1/decision';
import { readImage } from '@platform/proto/image';
import {
  checkableRelations, fenceTuple, organizationObject, siteTuple, systemAdminTuple, teamMembers, teamRightTuple,
  userObject,
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

describe('AskRelations', () => {
  const organizationId = 1;
  const revision = randomUUID();

  beforeAll(() => write([
    teamRightTuple(organizationId, 7, 'read'), teamRightTuple(organizationId, 8, 'owner'),
    systemAdminTuple(organizationId, 9), siteTuple(organizationId), fenceTuple(organizationId, revision),
  ]));

  const ask = (principal: string, objectClass: ObjectClass, of = organizationId) =>
    authz.askRelations({ principal, organizationId: of, objectClass }, call());

  it('answers what a principal holds, by which model, and the fence', async () => {
    const { modelId } = await authz.getModel({}, call());
    const answer = await ask(teamMembers(7), ObjectClass.OBJECT_CLASS_CLUSTER);
    expect(answer).toEqual({
      relations: ['can_connect', 'can_view', 'can_view_clustersets'], modelId, fence: revision,
    });
  });

  it('asks more relations than one batch takes', async () => {
    const { relations } = await ask(teamMembers(8), ObjectClass.OBJECT_CLASS_ADMINISTRATIVE_ORGANIZATION);
    expect(checkableRelations(ObjectClass.OBJECT_CLASS_ADMINISTRATIVE_ORGANIZATION).length).toBeGreaterThan(50);
    expect(relations).toEqual(expect.arrayContaining(['can_delete', 'owner']));
    expect(relations.filter((relation) => relation.startsWith('can_admin_'))).toEqual([]);
  });

  it('tells teams apart: another one, Owners, the own one', async () => {
    const viewing = ['can_list_members', 'can_view', 'can_view_member'];
    expect((await ask(teamMembers(7), ObjectClass.OBJECT_CLASS_TEAM)).relations).toEqual(viewing);
    expect((await ask(teamMembers(7), ObjectClass.OBJECT_CLASS_OWNERS_TEAM)).relations).toEqual(viewing);
    expect((await ask(teamMembers(7), ObjectClass.OBJECT_CLASS_OWN_TEAM)).relations).toEqual(['can_leave', ...viewing]);
    expect((await ask(teamMembers(8), ObjectClass.OBJECT_CLASS_OWN_OWNERS_TEAM)).relations).toEqual(
      checkableRelations(ObjectClass.OBJECT_CLASS_OWN_OWNERS_TEAM),
    );
  });

  it('answers for what a user owns himself without an organization and without a fence', async () => {
    const answer = await ask(userObject(77), ObjectClass.OBJECT_CLASS_OWN_CONTRACT, 0);
    expect(answer.relations).toEqual(checkableRelations(ObjectClass.OBJECT_CLASS_OWN_CONTRACT));
    expect(answer.fence).toBe('');
  });

  it('answers an empty fence for a store that lost the organization', async () => {
    const answer = await ask(teamMembers(7), ObjectClass.OBJECT_CLASS_ROLE, 4040);
    expect(answer).toMatchObject({ relations: [], fence: '' });
  });

  it.each<[string, string, number, ObjectClass]>([
    ['a user in the form of a name', 'user:ann', 1, ObjectClass.OBJECT_CLASS_ROLE],
    ['a team without its members', 'team:7', 1, ObjectClass.OBJECT_CLASS_ROLE],
    ['everybody', 'user:*', 1, ObjectClass.OBJECT_CLASS_ROLE],
    ['no organization', 'team:7#member', 0, ObjectClass.OBJECT_CLASS_ROLE],
    ['a negative organization', 'team:7#member', -1, ObjectClass.OBJECT_CLASS_ROLE],
    ['no class', 'team:7#member', 1, ObjectClass.OBJECT_CLASS_UNSPECIFIED],
    ['an own team of a user', 'user:9', 1, ObjectClass.OBJECT_CLASS_OWN_TEAM],
    ['a team that owns things itself', 'team:7#member', 0, ObjectClass.OBJECT_CLASS_OWN_CLUSTER],
    ['an own object in an organization', 'user:9', 1, ObjectClass.OBJECT_CLASS_OWN_CLUSTER],
  ])('refuses %s', async (_what, principal, of, objectClass) => {
    await expect(ask(principal, objectClass, of)).rejects.toMatchObject({ reason: 'INVALID_PARAMETER' });
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
