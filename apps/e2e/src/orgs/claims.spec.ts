import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from '@platform/postgres';
import { holding } from '@platform/testing';
import { claimsOf } from '../marketplace/marketplace-world.ts';
import { specCall } from '../operator.ts';
import { organizationHosts } from '../platform.ts';
import { proveIn } from './claims.proof.ts';
import { outcome, type Person, startWorld, type World } from './world.ts';

let world: World, user: Person;
let made = 0;
beforeAll(async () => {
  world = await startWorld({ hosts: organizationHosts, replicas: { 'orgs-teams': 2 } });
  user = await world.person('claimant');
}, 120_000);
afterAll(async () => world?.[Symbol.asyncDispose]());

const newId = () => Array.from(randomBytes(26), (byte) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[byte % 32]).join('');
const claim = (id: string, as = user.http) => as.patch(`/api/v1/orgs/claim/${id}`);
const oldest = async () => (await world.siteAdmin.http.get('/api/v1/orgs/claim/')).json();

/** A standalone organization, as a marketplace registers it. */
async function standalone(claimable: boolean, claimId = newId(), username = `standalone-${(made += 1)}`) {
  const claims = await claimsOf(world.platform);
  const request = { claimId, username, fullName: 'Stand Alone', claimable };
  const { organizationId } = await claims.putClaim(request, specCall());
  return { claimId, username, organizationId };
}

const owners = (organizationId: number) => world.database.query(sql<{ userId: number; isPublic: boolean }>`
  select user_id as "userId", exists (
           select from public_membership p where p.organization_id = m.organization_id and p.user_id = m.user_id
         ) as "isPublic"
    from team_member m where organization_id = ${organizationId}`);

describe('PATCH /orgs/claim/{claimID} (spec §4.13, open-points 11.5)', () => {
  it('makes the caller the only owner, and answers the organization', async () => {
    const { claimId, username, organizationId } = await standalone(true);
    const answer = await claim(claimId);
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual({
      id: organizationId, username, full_name: 'Stand Alone', description: '', website: '', location: '',
      avatar_url: expect.stringMatching(/\/avatars\/[0-9a-f]{32}$/), managerManagementClusterEndPoint: '',
      visibility: 'private', orgType: 0, claimID: claimId,
      claimedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    });
    expect(await owners(organizationId)).toEqual([{ userId: user.id, isPublic: false }]);
    expect(outcome(await user.http.get(`/api/v1/orgs/${username}/is-owner`))).toBe('200');
    expect(outcome(await user.http.patch(`/api/v1/orgs/${username}`, { json: { description: 'mine' } }))).toBe('200');
    const audit = await user.http.get(`/api/v1/orgs/${username}/audit`);
    const actions = audit.json<{ action: string }[]>().map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(['organization.claim', 'team.add_member']));
    expect(outcome(await claim(claimId))).toBe('409 already_claimed');
    expect(outcome(await claim(claimId, world.siteAdmin.http))).toBe('409 already_claimed');
  });

  it('has exactly one winner of 100 at once (npm run prove -- claims has 1,000 rounds)', async () => {
    expect(await proveIn(world, { share: 0.01, report: () => undefined })).toMatchObject(holding);
  }, 60_000);

  it('refuses what cannot be claimed yet, and an id nobody knows', async () => {
    const { claimId, organizationId } = await standalone(false);
    expect(outcome(await claim(claimId))).toBe('400 not_claimable');
    expect(await owners(organizationId)).toEqual([]);
    for (const id of [newId(), claimId.toLowerCase(), 'x', 'X'.repeat(27), '%C3%84', '1'.repeat(26)]) {
      expect(outcome(await claim(id))).toBe('404 not_found');
    }
    expect(outcome(await claim('a%00b'))).toBe('400 invalid_parameter');
  });

  it('needs the right to create organizations', async () => {
    const { claimId, organizationId } = await standalone(true);
    const barred = await world.person();
    await world.database.execute(sql`update account set allow_create_organization = false where id = ${barred.id}`);
    await world.organization(user, { username: 'with-system-admin' });
    const systemAdmin = world.as(await world.operator.systemAdminToken('with-system-admin'));
    expect(outcome(await claim(claimId, world.nobody))).toBe('401 unauthenticated');
    for (const id of [claimId, newId()]) expect(outcome(await claim(id, barred.http))).toBe('403 org_creation_denied');
    expect(outcome(await claim(claimId, systemAdmin))).toBe('403 org_creation_denied');
    expect(await owners(organizationId)).toEqual([]);
    expect(outcome(await claim(claimId, world.siteAdmin.http))).toBe('200');
  });

  it('is refused to users of a client organization', async () => {
    const { claimId } = await standalone(true);
    const client = await world.person();
    const { id } = await world.organization(client);
    await world.database.execute(sql`update organization set org_type = 2 where id = ${id}`);
    expect(outcome(await claim(claimId, client.http))).toBe('403 org_creation_denied');
  });

  it('leaves an owner who cannot go', async () => {
    const { claimId, username } = await standalone(true);
    const someone = await world.person();
    expect(outcome(await claim(claimId, someone.http))).toBe('200');
    const leave = `/api/v1/orgs/${username}/members/action/leave?uid=${someone.id}`;
    expect(outcome(await someone.http.post(leave, {}))).toBe('403 last_owner');
  });
});

describe('GET /orgs/claim/ (spec §4.13, open-points 11.5)', () => {
  it('names the oldest that can be claimed, or none', async () => {
    await world.database.execute(sql`delete from claim where claimed_at is null`);
    expect(await oldest()).toEqual({ isClaimable: false, claimID: '' });
    const [first, second] = [await standalone(false), await standalone(true)];
    expect(await oldest()).toEqual({ isClaimable: true, claimID: second.claimId });
    await standalone(true, first.claimId, first.username);
    expect(await oldest()).toEqual({ isClaimable: true, claimID: first.claimId });
    await claim(first.claimId);
    expect(await oldest()).toEqual({ isClaimable: true, claimID: second.claimId });
    await claim(second.claimId);
    expect(await oldest()).toEqual({ isClaimable: false, claimID: '' });
  });

  it('is for site admins', async () => {
    expect(outcome(await world.nobody.get('/api/v1/orgs/claim/'))).toBe('401 unauthenticated');
    expect(outcome(await user.http.get('/api/v1/orgs/claim'))).toBe('403 forbidden');
  });
});

describe('registering claims', () => {
  it('is repeatable, keeps what is claimable so, and an id for one organization', async () => {
    const first = await standalone(true);
    expect(await standalone(false, first.claimId, first.username)).toEqual(first);
    expect(outcome(await claim(first.claimId))).toBe('200');
    expect(await standalone(true, first.claimId, 'another')).toMatchObject({ organizationId: first.organizationId });
    const id = newId();
    const atOnce = await Promise.all(Array.from({ length: 10 }, () => standalone(true, id)));
    expect(new Set(atOnce.map(({ organizationId }) => organizationId)).size).toBe(1);
    await expect(standalone(true, newId(), first.username)).rejects.toMatchObject({ reason: 'ALREADY_EXISTS' });
    await expect(standalone(true, 'x', 'fine')).rejects.toMatchObject({ reason: 'VALIDATION_FAILED' });
  });
});
