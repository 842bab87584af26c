import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Fault } from '@platform/faults';
import { sql } from '@platform/postgres';
import { ClusterOwnerServiceService } from '@platform/proto/clusters/v1/owners';
import { ContractOwnerServiceService } from '@platform/proto/contracts/v1/owners';
import type { RpcClient } from '@platform/rpc';
import { rpcClient } from '@platform/testing';
import { claimsOf } from '../marketplace/marketplace-world.ts';
import { specCall } from '../operator.ts';
import { organizationHosts } from '../platform.ts';
import { atOnce, type Organization, outcome, type Person, startWorld, type World } from './world.ts';

let world: World, owner: Person, outsider: Person;
let clusters: RpcClient<typeof ClusterOwnerServiceService>;
let contracts: RpcClient<typeof ContractOwnerServiceService>;
beforeAll(async () => {
  world = await startWorld({ hosts: [...organizationHosts, 'clusters', 'contracts-licensing'] });
  [owner, outsider] = [await world.person('owner'), await world.person('outsider')];
  const { platform } = world;
  clusters = await rpcClient(ClusterOwnerServiceService, platform.services.clusters, platform);
  contracts = await rpcClient(ContractOwnerServiceService, platform.services['contracts-licensing'], platform);
}, 120_000);
afterAll(async () => world?.[Symbol.asyncDispose]());

const at = ({ username }: Organization) => `/api/v1/orgs/${username}`;
const setType = (organization: Organization, type: number) =>
  world.database.execute(sql`update organization set org_type = ${type} where id = ${organization.id}`);
const importCluster = (ownerId: number) =>
  clusters.putClusters({ clusters: [{ uid: randomUUID(), ownerId, name: randomUUID(), displayName: '' }] }, specCall());
const addContract = (ownerId: number) =>
  contracts.putContracts({ contracts: [{ idempotencyKey: randomUUID(), ownerId, name: 'yearly', clusters: [] }] }, specCall());

describe('PATCH /orgs/{orgname} (open-points 3.1)', () => {
  const patch = (organization: Organization, json: unknown, who = owner) => who.http.patch(at(organization), { json });

  it('absent and null stay, an empty text clears, and the answer is the organization', async () => {
    const given = { full_name: 'Full', description: 'About', website: 'https://acme.example', location: 'Desert' };
    const organization = await world.organization(owner, given);
    const before = (await owner.http.get(at(organization))).json<object>();
    const nothing = await patch(organization, { full_name: null, visibility: null, orgType: null, unknown: 1 });
    expect([outcome(nothing), nothing.json()]).toEqual(['200', before]);
    const change = { description: '', website: '', location: 'Sea' };
    const answer = await patch(organization, change);
    expect([outcome(answer), answer.json()]).toEqual(['200', { ...before, ...change }]);
    expect((await world.nobody.get(at(organization))).json()).toEqual(answer.json());
  });

  it.each([
    [{ visibility: '' }, 'limited'], [{ visibility: 'private' }, 'private'], [{ orgType: 'private' }, 'private'],
    [{ orgType: 'private', visibility: '' }, 'private'], [{ orgType: 'private', visibility: 'public' }, 'public'],
  ])('%j makes a limited one %s', async (json, visibility) => {
    const organization = await world.organization(owner, { visibility: 'limited' });
    expect((await patch(organization, json)).json()).toMatchObject({ visibility, orgType: 0 });
  });

  it('a change of visibility holds with the next request', async () => {
    const organization = await world.organization(owner);
    await patch(organization, { visibility: 'private' });
    expect(outcome(await outsider.http.get(at(organization)))).toBe('404 not_found');
    await patch(organization, { visibility: 'limited' });
    expect(outcome(await outsider.http.get(at(organization)))).toBe('200');
    expect(outcome(await world.nobody.get(at(organization)))).toBe('404 not_found');
  });

  it('an endpoint makes an ordinary organization one of origin, which keeps an endpoint', async () => {
    const organization = await world.organization(owner);
    const endpoint = 'managerManagementClusterEndPoint';
    expect((await patch(organization, { [endpoint]: '' })).json()).toMatchObject({ orgType: 0, [endpoint]: '' });
    const [first, second] = [{ [endpoint]: 'https://hub.example' }, { [endpoint]: 'https://hub2.example' }];
    expect((await patch(organization, first)).json()).toMatchObject({ orgType: 1, ...first });
    expect(outcome(await patch(organization, { [endpoint]: '', description: 'x' }))).toBe('400 invalid_value');
    expect((await patch(organization, second)).json()).toMatchObject({ orgType: 1, ...second, description: '' });
  });

  it.each([2, 6])('kind %d keeps its kind, with an endpoint and without', async (type) => {
    // Users of client organizations may not create organizations.
    const organization = type === 2 ? await world.organization(await world.person()) : undefined;
    if (organization !== undefined) await setType(organization, type);
    const path = organization === undefined ? '/api/v1/orgs/administration' : at(organization);
    for (const managerManagementClusterEndPoint of ['https://hub.example', '']) {
      const answer = await world.siteAdmin.http.patch(path, { json: { managerManagementClusterEndPoint } });
      expect(answer.json()).toMatchObject({ orgType: type, managerManagementClusterEndPoint });
    }
  });

  it.each([
    [{ visibility: 'secret' }, ['visibility']], [{ orgType: 'client' }, ['orgType']], [{ orgType: '' }, ['orgType']],
    [{ website: 'example.org' }, ['website']],
    [{ managerManagementClusterEndPoint: 'ftp://x' }, ['managerManagementClusterEndPoint']],
    [{ full_name: 'x'.repeat(101), description: 'x'.repeat(256), location: 'x'.repeat(51) },
      ['full_name', 'description', 'location']],
  ])('422 %j', async (json, paths) => {
    const answer = await patch(await world.organization(owner), json);
    expect(outcome(answer)).toBe('422 validation_failed');
    expect(answer.json<{ errors: { path: string }[] }>().errors.map(({ path }) => path)).toEqual(paths);
  });

  it('is for admins, and wrong bodies come after that', async () => {
    const { boss, organization, people: [viewer, admin] } = await world.organizationWith(2);
    const { id } = await world.database.one(sql<{ id: number }>`
      insert into team (organization_id, name, permission) values (${organization.id}, 'Admins', 'admin') returning id`);
    await world.join(boss, id, admin!);
    const json = { description: 'changed' };
    for (const person of [admin, world.siteAdmin]) expect(outcome(await patch(organization, json, person))).toBe('200');
    for (const change of [json, { visibility: 'secret' }]) {
      expect(outcome(await patch(organization, change, viewer))).toBe('403 forbidden');
    }
    expect(outcome(await patch(organization, json, outsider))).toBe('403 not_org_member');
    expect(outcome(await world.nobody.patch(at(organization), { json }))).toBe('401 unauthenticated');
    expect(outcome(await boss.http.patch(at(organization)))).toBe('422 malformed_body');
    expect(outcome(await patch(organization, { full_name: 5 }, boss))).toBe('422 validation_failed');
    expect(outcome(await boss.http.patch('/api/v1/orgs/no-such', { json }))).toBe('404 not_found');
  });

  it('of 50 changes at once each is answered with what it made, and the last one stands', async () => {
    const organization = await world.organization(owner);
    const answers = await atOnce(50, (index) =>
      patch(organization, { full_name: `name ${index}`, description: `text ${index}` }));
    expect(new Set(answers.map(outcome))).toEqual(new Set(['200']));
    const { full_name: name, description } = (await owner.http.get(at(organization))).json<Record<string, string>>();
    expect(name!.replace('name', 'text')).toBe(description);
  });
});

describe('DELETE /orgs/{orgname} (open-points 3.1)', () => {
  it('takes everything with it, frees the name and ends the tokens at once', async () => {
    const { boss, organization, people } = await world.organizationWith(3);
    const token = world.as(await world.operator.systemAdminToken(organization.username));
    await people[0]!.http.put(`${at(organization)}/public_members/${people[0]!.username}`);
    expect(outcome(await token.get(at(organization)))).toBe('200');
    expect(outcome(await boss.http.delete(at(organization)))).toBe('204');
    expect(outcome(await token.get(at(organization)))).toBe('401 unauthenticated');
    for (const http of [boss.http, people[0]!.http, world.siteAdmin.http, world.nobody]) {
      expect(outcome(await http.get(at(organization)))).toBe('404 not_found');
      expect(outcome(await http.get(`${at(organization)}/members`))).toBe('404 not_found');
    }
    expect(outcome(await boss.http.delete(at(organization)))).toBe('404 not_found');
    const left = await world.database.query(sql`
      select 'account' from account where id in (${organization.id}, ${organization.systemAdminId})
       union all select 'team' from team where organization_id = ${organization.id}
       union all select 'member' from team_member where organization_id = ${organization.id}
       union all select 'shown' from public_membership where organization_id = ${organization.id}`);
    expect(left).toEqual([]);
    const drift = await world.operator.admin.checkDrift({ organizationId: organization.id, limit: 0 }, specCall());
    expect(drift.differenceCount).toBe(0);
    const json = { username: organization.username.toUpperCase() };
    expect(outcome(await people[0]!.http.post('/api/v1/orgs', { json }))).toBe('201');
  });

  it('is for site admins where a standalone organization is not claimed yet (open-points 11.8)', async () => {
    const claims = await claimsOf(world.platform);
    const [claimId, path] = ['STANDALONE0ORGANIZATION001', '/api/v1/orgs/stand-alone'];
    await claims.putClaim({ claimId, username: 'stand-alone', fullName: '', claimable: true }, specCall());
    expect(outcome(await owner.http.delete(path))).toBe('404 not_found');
    expect(outcome(await world.siteAdmin.http.delete(path))).toBe('204');
    expect(outcome(await world.siteAdmin.http.get(path))).toBe('404 not_found');
    await expect(claims.getClaim({ claimId }, specCall())).rejects.toMatchObject({ reason: 'NOT_FOUND' });
    expect(outcome(await owner.http.patch(`/api/v1/orgs/claim/${claimId}`))).toBe('404 not_found');
    const left = await world.database.query(sql`
      select 'account' from account where name = 'stand-alone' union all select 'claim' from claim where id = ${claimId}`);
    expect(left).toEqual([]);
  });

  it('is for the only owner, site admins not excepted', async () => {
    const { boss, organization, people: [other] } = await world.organizationWith(1);
    expect(outcome(await other!.http.delete(at(organization)))).toBe('403 forbidden');
    expect(outcome(await outsider.http.delete(at(organization)))).toBe('403 not_org_member');
    expect(outcome(await world.siteAdmin.http.delete(at(organization)))).toBe('403 not_last_owner');
    await world.join(boss, organization.teams.Owners, other!);
    expect(outcome(await boss.http.delete(at(organization)))).toBe('403 not_last_owner');
    expect(outcome(await other!.http.post(`${at(organization)}/members/action/leave?uid=${other!.id}`))).toBe('200');
    expect(outcome(await boss.http.delete(at(organization)))).toBe('204');
  });

  it('a site admin who is the only owner may', async () => {
    expect(outcome(await world.siteAdmin.http.delete(at(await world.organization(world.siteAdmin))))).toBe('204');
  });

  it('never the administrative one, and a client organization by its own route', async () => {
    expect(outcome(await world.siteAdmin.http.delete('/api/v1/orgs/administration'))).toBe('403 forbidden');
    const { boss, organization } = await world.organizationWith(0);
    await setType(organization, 2);
    expect(outcome(await boss.http.delete(at(organization)))).toBe('400 client_org');
    expect(outcome(await boss.http.get(at(organization)))).toBe('200');
  });

  it.each(['a cluster', 'a contract'])('not while it has %s, and then it goes on as before', async (what) => {
    const organization = await world.organization(owner);
    const add = what === 'a cluster' ? importCluster : addContract;
    await add(organization.id);
    expect(outcome(await owner.http.delete(at(organization)))).toBe('409 org_in_use');
    expect(outcome(await owner.http.patch(at(organization), { json: { description: 'still here' } }))).toBe('200');
    await expect(add(organization.id)).resolves.toBeDefined();
    expect(outcome(await owner.http.delete(at(organization)))).toBe('409 org_in_use');
  });

  it('while a cluster is imported: one of the two', async () => {
    for (let round = 0; round < 15; round += 1) {
      const organization = await world.organization(owner);
      const [deleted, imported] = await Promise.all([
        owner.http.delete(at(organization)),
        importCluster(organization.id).then(() => 'imported', (error: unknown) => (error as Fault).reason),
      ]);
      expect(['204 CONFLICT', '409 org_in_use imported']).toContain(`${outcome(deleted)} ${imported}`);
      expect((await owner.http.get(at(organization))).status === 200).toBe(imported === 'imported');
    }
  });

  it('of ten at once one deletes it, the others find it going or gone', async () => {
    const organization = await world.organization(owner);
    const outcomes = (await atOnce(10, () => owner.http.delete(at(organization)))).map(outcome);
    expect(outcomes.filter((one) => one === '204')).toHaveLength(1);
    expect(outcomes.filter((one) => !['204', '409 conflict', '404 not_found'].includes(one))).toEqual([]);
    expect(outcome(await owner.http.get(at(organization)))).toBe('404 not_found');
  });
});
