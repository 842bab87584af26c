import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { http, type HttpClient } from '@platform/testing';
import { outcome } from '../orgs/world.ts';
import { type ClusterOwner, type MetricsWorld, ok, startMetricsWorld } from './metrics-world.ts';

let world: MetricsWorld;
let acme: ClusterOwner;

beforeAll(async () => {
  world = await startMetricsWorld();
  acme = await world.owner();
}, 120_000);
afterAll(() => world[Symbol.asyncDispose]());

const ask = (client: HttpClient, identity: string, rest = '/api/v1/query') =>
  client.get(`/api/v1/metricsproxy/auth/${identity}${rest}`);

const asked = (...given: Parameters<typeof ask>) => ask(...given).then(outcome);

describe('the auth hook', () => {
  it('admits each member of the owner, with the tenant in body and header', async () => {
    const member = await world.person();
    await world.join(acme.boss, acme.organization.teams.Viewers, member);
    const token = await world.operator.systemAdminToken(acme.organization.username);
    const { id, username: owner } = acme.organization;
    const expected = { owner, clusterName: acme.cluster.name, tenantID: `platform.user.${id}` };
    for (const client of [member.http, acme.boss.http, world.as(token), world.siteAdmin.http]) {
      const answer = await ask(client, acme.identity);
      expect([ok(answer), answer.header('x-scope-orgid')]).toEqual([expected, expected.tenantID]);
    }
    expect(ok(await ask(member.http, `${acme.identity}.prod`))).toEqual(expected);
    expect(ok(await ask(member.http, acme.identity.toUpperCase()))).toEqual(expected);
  });

  const paths = ['', '/', '/api/v1/query', '/a//b', '/a%2Fb', '/graph?query=up&x=1'];
  it.each(paths)('does not interpret the path %j', async (rest) => {
    // The document has no path without its last parameter.
    const anyPath = http(world.platform.baseUrl).with({ authorization: `Bearer ${acme.boss.token}` });
    expect(await asked(anyPath, acme.identity, rest)).toBe('200');
  });

  it('answers 401 to those who are no members, with a challenge', async () => {
    const stranger = await world.person();
    const refused = await ask(stranger.http, acme.identity);
    expect([outcome(refused), refused.header('www-authenticate')]).toEqual(['401 not_org_member', 'Bearer']);
    expect(await asked(world.nobody, acme.identity)).toBe('401 unauthenticated');
    expect(outcome(await ask(world.as('0'.repeat(40)), acme.identity))).toBe('401 unauthenticated');
  });

  it('answers 404 for an unknown owner or cluster, and a cluster of somebody else', async () => {
    const other = await world.owner();
    const unknown = '00000000-0000-4000-8000-000000000000';
    for (const identity of [
      `${acme.organization.id}.${unknown}`, `999999.${acme.cluster.uid}`, `${acme.organization.id}.${other.cluster.uid}`,
      `${acme.boss.id}.${acme.cluster.uid}`, `9007199254740991.${acme.cluster.uid}`,
    ]) {
      expect(await asked(acme.boss.http, identity)).toBe('404 not_found');
      expect(await asked(other.boss.http, identity)).toBe('404 not_found');
    }
    expect(await asked(acme.boss.http, `${other.organization.id}.${other.cluster.uid}`)).toBe('401 not_org_member');
  });

  it.each([
    'x', '1', '1.2', '1.2.3.4', '0.1b671a64-40d5-491e-99b0-da01ff1f3341', '1.1b671a64-40d5-491e-99b0-da01ff1f334',
    '1.1b671a64-40d5-491e-99b0-da01ff1f3341.', '1.1b671a64-40d5-491e-99b0-da01ff1f3341.-a',
    '1.1b671a64-40d5-491e-99b0-da01ff1f3341.a.b', '01.1b671a64-40d5-491e-99b0-da01ff1f3341',
    '1.1b671a64-40d5-491e-99b0-da01ff1f3341%00', '1.1b671a64-40d5-491e-99b0-da01ff1f3341%0a',
  ])('answers 400 to the malformed identity %j, after authentication', async (identity) => {
    expect(await asked(acme.boss.http, identity)).toBe('400 invalid_parameter');
    expect(outcome(await ask(world.as('0'.repeat(40)), identity))).toBe('401 unauthenticated');
    expect(await asked(world.nobody, identity)).toBe('401 unauthenticated');
  });

  it('a cluster of a user is for that user and site admins', async () => {
    const user = await world.person();
    const { uid, name } = await world.cluster(user.id);
    const identity = `${user.id}.${uid}`;
    const tenantID = `platform.user.${user.id}`;
    expect(ok(await ask(user.http, identity))).toEqual({ owner: user.username, clusterName: name, tenantID });
    expect(await asked(world.siteAdmin.http, identity)).toBe('200');
    expect(await asked(acme.boss.http, identity)).toBe('401 not_org_member');
  });

  it('a membership, a token and a cluster that are gone are refused at the next call', async () => {
    const { boss, organization, cluster, identity } = await world.owner();
    const member = await world.person();
    await world.join(boss, organization.teams.Viewers, member);
    expect(await asked(member.http, identity)).toBe('200');
    await boss.http.delete(`/api/v1/teams/${organization.teams.Viewers}/members/${member.username}`);
    expect(await asked(member.http, identity)).toBe('401 not_org_member');
    await world.join(boss, organization.teams.Viewers, member);
    expect(await asked(member.http, identity)).toBe('200');
    await world.removeCluster(cluster);
    expect(await asked(member.http, identity)).toBe('404 not_found');
  });
});
