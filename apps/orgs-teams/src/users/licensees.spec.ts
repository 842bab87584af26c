import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from '@platform/postgres';
import { as, ownBus } from '@platform/testing';
import { operator, pathsOf, reasonOf, startPlatform, type TestPlatform } from '../fixtures/platform.ts';

let platform: TestPlatform;
beforeAll(async () => {
  const bus = await ownBus();
  platform = await startPlatform({ replicas: 2, settings: bus.settings });
}, 120_000);
afterAll(() => platform?.[Symbol.asyncDispose]());

const put = (accountId: number) => platform.admin.putLicensee({ accountId }, operator());

describe('the account of a licence (open-points 6.3)', () => {
  it('is the one that the licence names', async () => {
    const owner = await platform.user();
    const { id } = await platform.organization(owner, { username: 'acme' });
    expect(await put(owner.id)).toEqual({ id: owner.id, name: owner.name, organization: false });
    expect(await put(id)).toEqual({ id, name: 'acme', organization: true });
  });

  it('is made once where there is none, without sign-in and without any right', async () => {
    const missing = Number.MAX_SAFE_INTEGER;
    const made = await Promise.all(Array.from({ length: 8 }, () => put(missing)));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(made[0]).toEqual({ id: expect.any(Number), name: `licensed-${missing}`, organization: false });
    expect(await platform.database.one(sql`
      select active, prohibit_login as "prohibited", is_admin as "admin", allow_create_organization as "creates"
        from account where id = ${made[0]!.id}`)).toEqual({ active: false, prohibited: true, admin: false, creates: false });
    const next = await platform.user();
    expect(next.id).toBeLessThan(missing);
  });

  it('has a name that no other account can take', async () => {
    const request = { email: 'a@example.org', fullName: '', admin: false, noCreateOrganization: false, prohibitLogin: false };
    const create = platform.admin.createUser({ ...request, inactive: false, username: 'licensed-7' }, operator());
    expect(await pathsOf(create)).toEqual(['username']);
  });

  it('is never a hidden system admin', async () => {
    const { id } = await platform.database.one(sql<{ id: number }>`
      select id from account where kind = 'system_admin' order by id limit 1`);
    expect((await put(id)).name).toBe(`licensed-${id}`);
  });
});

describe('credentials that are made once', () => {
  it('are not doubled by repeats, also at the same time on two replicas', async () => {
    const owner = await platform.user();
    await platform.organization(owner, { username: 'once' });
    const request = { organization: 'once', clusterUid: randomUUID(), productName: 'productdb', once: true };
    const made = await Promise.all(Array.from({ length: 6 }, () =>
      platform.admin.createBusAccount(request, as(undefined, 30_000))));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(made.filter(({ creds }) => creds !== '')).toHaveLength(1);
    const again = await platform.admin.createBusAccount({ ...request, once: false }, as(undefined, 30_000));
    expect(again.id).not.toBe(made[0]!.id);
  }, 60_000);
});

describe('a token that is made for a cluster (open-points 6.2)', () => {
  it('names it in the standing', async () => {
    const owner = await platform.user();
    const clusterUid = randomUUID();
    const request = { user: owner.name, organization: '', name: 'installer', expiresInSeconds: 0 };
    const { token } = await platform.admin.createToken({ ...request, clusterUid }, operator());
    const ask = (given: string) => platform.identity.getStanding({ token: given, slugs: [], organizationIds: [] }, operator());
    expect((await ask(token)).caller!.tokenClusterUid).toBe(clusterUid);
    expect((await ask(owner.token)).caller!.tokenClusterUid).toBeUndefined();
    expect(await reasonOf(platform.admin.createToken({ ...request, clusterUid: 'lab' }, operator()))).not.toBe('OK');
  });
});
