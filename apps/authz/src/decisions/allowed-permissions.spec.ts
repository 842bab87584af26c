import { randomBytes, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { AuthorizationServiceService } from '@platform/proto/authz/v1/authorization';
import { ClusterOwnerServiceService } from '@platform/proto/clusters/v1/owners';
import { AdminServiceService } from '@platform/proto/orgs/v1/admin';
import { OrganizationServiceService } from '@platform/proto/orgs/v1/organization';
import { connect, type Database, sql } from '@platform/postgres';
import {
  catalogue, checkableRelations, expectedRelations, type ObjectClass, reportedRelations, siteRelations, type Subject,
} from '@platform/relations';
import { type RpcClient } from '@platform/rpc';
import {
  as, freePort, openFgaStore, rpcClient, type StartedService, startService, testDatabase, testSecret, until,
} from '@platform/testing';

type Person = { id: number; name: string; token: string; tokenId: number };

const credential = testSecret();
const internal = { serviceCredential: credential };
const missing = 9_007_199_254_740_991;

let authz: RpcClient<typeof AuthorizationServiceService>;
let admin: RpcClient<typeof AdminServiceService>;
let clusters: RpcClient<typeof ClusterOwnerServiceService>;
let clustersService: StartedService;
let authzService: StartedService;
let database: Database;
let owner: Person, editor: Person, outsider: Person, siteAdmin: Person;
let acme: { id: number; username: string }, other: { id: number; username: string };
let systemAdmin: { id: number; token: string; tokenId: number };
let teams: Record<'Owners' | 'Editors' | 'Viewers', number>;
let cluster: Record<'acme' | 'other' | 'editor', number>;

beforeAll(async () => {
  const [orgsData, clustersData, store, port] = await Promise.all([
    testDatabase('orgs-teams'), testDatabase('clusters'), openFgaStore(), freePort(),
  ]);
  const services = { 'secrets.serviceCredential': credential, 'services.orgsTeams': `127.0.0.1:${port}` };
  clustersService = await startService('clusters', {
    ...clustersData.settings, ...services, 'services.authz': '127.0.0.1:9', 'services.contractsLicensing': '127.0.0.1:9',
    'secrets.encryptionKeys': testSecret(),
  }, { ownProcess: 'killed' });
  authzService = await startService('authz', {
    ...store.settings, ...services, 'services.clusters': clustersService.addressList('grpc'),
  });
  const orgs = await startService('orgs-teams', {
    ...orgsData.settings, ...services, 'run.mode': 'test', 'secrets.tokenKey': testSecret(),
    'secrets.encryptionKeys': testSecret(),
    'secrets.adminToken': randomBytes(20).toString('hex'), 'services.authz': authzService.addressList('grpc'),
    'grpc.listen': `127.0.0.1:${port}`,
  });
  database = connect({ url: orgsData.url, schema: orgsData.schema, applicationName: 'spec' });
  authz = await rpcClient(AuthorizationServiceService, authzService);
  admin = await rpcClient(AdminServiceService, orgs, internal);
  clusters = await rpcClient(ClusterOwnerServiceService, clustersService, internal);
  const organizations = await rpcClient(OrganizationServiceService, orgs);

  owner = await person('ann');
  editor = await person('eve');
  outsider = await person('oscar');
  siteAdmin = await person('sam', true);
  acme = await organizations.createOrganization({ username: 'acme' }, as(owner.token));
  other = await organizations.createOrganization({ username: 'other', visibility: 'private' }, as(outsider.token));
  const rows = await database.query(sql<{ id: number; name: keyof typeof teams }>`
    select id, name from team where organization_id = ${acme.id}`);
  teams = Object.fromEntries(rows.map(({ id, name }) => [name, id])) as typeof teams;
  await join(editor, teams.Editors);
  const [account] = await database.query(sql<{ id: number }>`
    select id from account where system_admin_of = ${acme.id}`);
  const made = await admin.createToken(
    { user: '', organization: 'acme', name: 'spec', expiresInSeconds: 0 }, as(undefined),
  );
  systemAdmin = { id: account!.id, token: made.token, tokenId: made.id };
  const put = await clusters.putClusters({
    clusters: [acme.id, other.id, editor.id].map((ownerId) => ({
      uid: randomUUID(), ownerId, name: 'lab', displayName: '',
    })),
  }, as(undefined));
  const [first, second, third] = put.clusters;
  cluster = { acme: first!.id, other: second!.id, editor: third!.id };
}, 180_000);

async function person(name: string, isAdmin = false): Promise<Person> {
  const { id } = await admin.createUser({
    username: name, email: `${name}@example.org`, fullName: '', admin: isAdmin, noCreateOrganization: false,
    prohibitLogin: false, inactive: false,
  }, as(undefined));
  const made = await admin.createToken(
    { user: name, organization: '', name: 'spec', expiresInSeconds: 0 }, as(undefined),
  );
  return { id, name, token: made.token, tokenId: made.id };
}

async function join({ id }: Person, teamId: number): Promise<void> {
  await database.execute(sql`
    insert into team_member (team_id, user_id, organization_id) values (${teamId}, ${id}, ${acme.id})`);
}

const allowed = async (token: string, objectType: string, objectId: number, org = 'acme') =>
  (await authz.getAllowedPermissions({ org, objectType, objectId }, as(token))).allowedPermissions;
const everything = (objectClass: ObjectClass) => reportedRelations(checkableRelations(objectClass));
const expected = (subject: Subject, objectClass: ObjectClass) =>
  reportedRelations(expectedRelations(subject, objectClass));
const asOwner: Subject = { kind: 'rank', rank: 'owner' };
const asEditor: Subject = { kind: 'rank', rank: 'editor' };
const asSystemAdmin: Subject = { kind: 'system_admin' };

describe('allowed-permissions of one object', () => {
  it('answers what the caller holds through the teams of the owner organization', async () => {
    for (const [subject, { token }] of [[asOwner, owner], [asEditor, editor], [asSystemAdmin, systemAdmin]] as const) {
      expect(await allowed(token, 'organization', acme.id))
        .toEqual(expected(subject, 'organization'));
      expect(await allowed(token, 'cluster', cluster.acme))
        .toEqual(expected(subject, 'cluster'));
      expect(await allowed(token, 'robot_ac', systemAdmin.id))
        .toEqual(expected(subject, 'robot_account'));
      expect(await allowed(token, 'token', systemAdmin.tokenId))
        .toEqual(expected(subject, 'token'));
      expect(await allowed(token, 'team', teams.Viewers)).toEqual(expected(subject, 'team'));
    }
  });

  it('distinguishes the team of the caller and Owners from other teams', async () => {
    expect(await allowed(editor.token, 'team', teams.Editors))
      .toEqual(expected(asEditor, 'own_team'));
    expect(await allowed(editor.token, 'team', teams.Owners))
      .toEqual(expected(asEditor, 'owners_team'));
    expect(await allowed(owner.token, 'team', teams.Owners))
      .toEqual(everything('own_owners_team'));
    expect(await allowed(owner.token, 'team', teams.Editors)).toEqual(expected(asOwner, 'team'));
  });

  it('answers all three relations of an account of the caller', async () => {
    for (const { token, id } of [owner, siteAdmin, systemAdmin]) {
      expect(await allowed(token, 'user', id, id === siteAdmin.id ? 'other' : 'acme'))
        .toEqual(['can_edit', 'can_manage_tokens', 'can_view']);
    }
  });

  it('answers everything of what a user owns to that user, and nothing of it to others', async () => {
    expect(await allowed(editor.token, 'cluster', cluster.editor))
      .toEqual(everything('own_cluster'));
    expect(await allowed(editor.token, 'token', editor.tokenId)).toEqual(['can_delete', 'can_view']);
    expect(await allowed(owner.token, 'cluster', cluster.editor)).toEqual([]);
    expect(await allowed(owner.token, 'token', editor.tokenId)).toEqual([]);
  });

  it('decides a foreign object against its own owner', async () => {
    expect(await allowed(editor.token, 'cluster', cluster.other)).toEqual([]);
    expect(await allowed(editor.token, 'organization', other.id)).toEqual([]);
    expect(await allowed(outsider.token, 'cluster', cluster.other, 'other'))
      .toEqual(expected(asOwner, 'cluster'));
    await database.execute(sql`
      insert into team_member (team_id, user_id, organization_id)
      select id, ${editor.id}, organization_id from team where organization_id = ${other.id} and name = 'Viewers'`);
    expect(await allowed(editor.token, 'cluster', cluster.other, 'acme'))
      .toEqual(expected({ kind: 'rank', rank: 'viewer' }, 'cluster'));
  });

  it('answers everything to a site admin for any owner', async () => {
    const { token } = siteAdmin;
    expect(await allowed(token, 'organization', other.id)).toEqual(everything('organization'));
    expect(await allowed(token, 'cluster', cluster.other)).toEqual(everything('cluster'));
    expect(await allowed(token, 'cluster', cluster.editor)).toEqual(everything('own_cluster'));
    expect(await allowed(token, 'team', teams.Owners)).toEqual(everything('owners_team'));
  });

  it('repeats the relations of the site on the administrative organization', async () => {
    const [row] = await database.query(sql<{ id: number; name: string }>`
      select id, name from account join organization using (id) where org_type = 6`);
    const held = await allowed(siteAdmin.token, 'organization', row!.id, row!.name);
    expect(held).toEqual(everything('administrative_organization'));
    expect(held).toEqual(expect.arrayContaining([...siteRelations]));
  });

  it.each(['organization', 'team', 'cluster', 'robot_ac', 'token'])('answers nothing of a missing %s', async (type) => {
    expect(await allowed(owner.token, type, missing)).toEqual([]);
    expect(await allowed(siteAdmin.token, type, missing)).toEqual([]);
  });

  it('takes a user for no organization, and an organization for no system admin', async () => {
    expect(await allowed(siteAdmin.token, 'organization', owner.id)).toEqual([]);
    expect(await allowed(siteAdmin.token, 'robot_ac', acme.id)).toEqual([]);
  });

  it('sees a right given and taken on the very next call', async () => {
    const newcomer = await person('nora');
    await expect(allowed(newcomer.token, 'cluster', cluster.acme)).rejects.toMatchObject({ reason: 'NOT_ORG_MEMBER' });
    await join(newcomer, teams.Viewers);
    expect(await allowed(newcomer.token, 'cluster', cluster.acme)).toContain('can_view');
    await database.execute(sql`update team set permission = 'none' where id = ${teams.Viewers}`);
    expect(await allowed(newcomer.token, 'cluster', cluster.acme)).toEqual([]);
    await database.execute(sql`update team set permission = 'read' where id = ${teams.Viewers}`);
    expect(await allowed(newcomer.token, 'cluster', cluster.acme)).toContain('can_view');
    await database.execute(sql`delete from team_member where user_id = ${newcomer.id}`);
    await expect(allowed(newcomer.token, 'cluster', cluster.acme)).rejects.toMatchObject({ reason: 'NOT_ORG_MEMBER' });
  });

  it.each<[string, string, number, string]>([
    ['a type nobody knows', 'planet', 1, 'INVALID_OBJECT_TYPE'],
    ['a type that is no object type', 'clusterset', 1, 'INVALID_OBJECT_TYPE'],
    ['no type', '', 1, 'INVALID_OBJECT_TYPE'],
    ['id 0', 'team', 0, 'INVALID_PARAMETER'],
    ['a negative id', 'team', -5, 'INVALID_PARAMETER'],
    ['another user', 'user', 1, 'INVALID_PARAMETER'],
  ])('refuses %s', async (_what, type, id, reason) => {
    await expect(allowed(owner.token, type, id)).rejects.toMatchObject({ reason });
  });

  it('refuses by who calls before what is asked', async () => {
    await expect(allowed('', 'planet', 0)).rejects.toMatchObject({ reason: 'UNAUTHENTICATED' });
    await expect(allowed('f'.repeat(40), 'planet', 0)).rejects.toMatchObject({ reason: 'UNAUTHENTICATED' });
    await expect(allowed(outsider.token, 'planet', 0, 'nowhere')).rejects.toMatchObject({ reason: 'INVALID_PARAMETER' });
    await expect(allowed(outsider.token, 'planet', 1)).rejects.toMatchObject({ reason: 'NOT_ORG_MEMBER' });
    await expect(allowed(owner.token, 'planet', 1, 'other')).rejects.toMatchObject({ reason: 'NOT_FOUND' });
    await expect(allowed(owner.token, 'planet', 1, 'nowhere')).rejects.toMatchObject({ reason: 'NOT_FOUND' });
    await expect(allowed(owner.token, 'planet', 1, '')).rejects.toMatchObject({ reason: 'MISSING_ORG' });
    await expect(allowed(siteAdmin.token, 'planet', 1, 'other')).rejects.toMatchObject({
      reason: 'INVALID_OBJECT_TYPE',
    });
  });
});

describe('allowed-permissions of many objects', () => {
  const batch = (token: string, objects: { objectType?: string; objectId?: number }[], org = 'acme') =>
    authz.listAllowedPermissions({ org, objects }, as(token));

  it('answers each in its place, duplicates too', async () => {
    const objects = [
      { objectType: 'cluster', objectId: cluster.acme }, { objectType: 'team', objectId: teams.Editors },
      { objectType: 'cluster', objectId: missing }, { objectType: 'cluster', objectId: cluster.acme },
      { objectType: 'user', objectId: editor.id }, { objectType: 'organization', objectId: acme.id },
      { objectType: 'token', objectId: editor.tokenId }, { objectType: 'cluster', objectId: cluster.editor },
    ];
    const single = await Promise.all(objects.map((one) => allowed(editor.token, one.objectType, one.objectId)));
    expect((await batch(editor.token, objects)).objects).toEqual(
      objects.map((object, index) => ({ ...object, allowedPermissions: single[index] })),
    );
    expect(single[0]).not.toEqual([]);
  });

  it('answers an empty list to an empty list', async () => {
    expect(await batch(editor.token, [])).toEqual({ objects: [] });
  });

  it('answers a thousand', async () => {
    const objects = Array.from({ length: 1_000 }, (_, index) => ({ objectType: 'cluster', objectId: index + 1 }));
    const { objects: answered } = await batch(owner.token, objects);
    expect(answered.filter(({ allowedPermissions }) => allowedPermissions.length > 0).map(({ objectId }) => objectId))
      .toEqual([cluster.acme]);
    await expect(batch(owner.token, [...objects, { objectType: 'cluster', objectId: 1 }]))
      .rejects.toMatchObject({ reason: 'TOO_MANY_ITEMS' });
  });

  it('answers a thousand of two hundred owners, each against its own', async () => {
    const people = await database.query(sql<{ id: number }>`
      insert into account (kind, name) select 'person', 'owner-' || n from generate_series(1, 160) n returning id`);
    const organizations = await database.transact(async (transaction) => {
      const made = await transaction.query(sql<{ id: number }>`
        insert into account (kind, name) select 'organization', 'crowd-' || n from generate_series(1, 40) n returning id`);
      const ids = made.map(({ id }) => id);
      await transaction.execute(sql`insert into organization (id) select unnest(${ids}::bigint[])`);
      await transaction.execute(sql`
        insert into team (organization_id, name, permission)
        select id, 'Viewers', 'read' from unnest(${ids}::bigint[]) id`);
      await transaction.execute(sql`
        insert into team_member (team_id, user_id, organization_id)
        select id, ${editor.id}, organization_id from team where organization_id = any (${ids.slice(0, 20)}::bigint[])`);
      return ids;
    });
    const owners = [...organizations, ...people.map(({ id }) => id)];
    const put = await Promise.all(Array.from({ length: 5 }, (_, round) => clusters.putClusters({
      clusters: owners.map((ownerId) => ({ uid: randomUUID(), ownerId, name: `${round} ${randomUUID()}`, displayName: '' })),
    }, as(undefined))));
    const objects = put.flatMap((one) => one.clusters.map(({ id }) => ({ objectType: 'cluster', objectId: id })));
    expect(objects).toHaveLength(1_000);
    // Writing 20 organizations and asking about 20 teams can take longer than one call waits on a busy machine.
    const { objects: answered } = await until(() => batch(editor.token, objects), { what: 'all is known', within: 90_000 });
    const held = expected({ kind: 'rank', rank: 'viewer' }, 'cluster');
    const wanted = put.flatMap(() => owners.map((_, index) => (index < 20 ? held : [])));
    expect(answered.map(({ allowedPermissions }) => allowedPermissions)).toEqual(wanted);
  }, 120_000);

  it('refuses whole and names every element that is wrong', async () => {
    const fine = { objectType: 'cluster', objectId: 1 };
    await expect(batch(owner.token, [fine, { objectType: 'planet', objectId: 1 }, { objectType: 'team', objectId: 0 }]))
      .rejects.toMatchObject({
        reason: 'INVALID_OBJECT_TYPE', violations: [{ path: '[1].objectType' }, { path: '[2].objectID' }],
      });
    await expect(batch(owner.token, [fine, fine, { objectType: 'user', objectId: editor.id }]))
      .rejects.toMatchObject({ reason: 'INVALID_VALUE', violations: [{ path: '[2].objectID' }] });
    await expect(batch(owner.token, [fine, { objectType: 'team' }, { objectId: 3 }])).rejects.toMatchObject({
      reason: 'VALIDATION_FAILED', violations: [{ path: '[1].objectID' }, { path: '[2].objectType' }],
    });
  });

  it('answers nothing rather than less when an owner cannot be resolved', async () => {
    const fine = { objectType: 'organization', objectId: acme.id };
    await expect(batch(owner.token, [fine, { objectType: 'contract', objectId: 1 }]))
      .rejects.toMatchObject({ reason: 'UNAVAILABLE' });
    await clustersService.replicas[0].kill();
    await expect(batch(owner.token, [fine, { objectType: 'cluster', objectId: cluster.acme }]))
      .rejects.toMatchObject({ reason: 'UNAVAILABLE' });
    expect((await batch(owner.token, [fine])).objects[0]!.allowedPermissions).not.toEqual([]);
    await clustersService.replicas[0].restart();
  });
});

describe('available permissions', () => {
  it('are the catalogue, to every member', async () => {
    const { permissions } = await authz.listAvailablePermissions({ org: 'acme' }, as(editor.token));
    expect(permissions).toEqual(catalogue);
    await expect(authz.listAvailablePermissions({ org: 'acme' }, as(outsider.token)))
      .rejects.toMatchObject({ reason: 'NOT_ORG_MEMBER' });
  });
});
