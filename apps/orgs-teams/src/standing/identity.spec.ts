import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Fault } from '@platform/faults';
import { createRateLimiter } from '@platform/limits';
import { connect, type Database, sql } from '@platform/postgres';
import { AccountRight } from '@platform/proto/options';
import { deadlineIn, Secret } from '@platform/service';
import { testDatabase } from '@platform/testing';
import { newToken, tokenDigest } from './access-token.ts';
import { accountRights } from './account-rights.ts';
import { createReadStanding } from './identity.ts';

const tokenKey = new Secret('a key');
const token = newToken();
let database: Database;
let statements = 0;

beforeAll(async () => {
  const { url, schema } = await testDatabase('orgs-teams');
  const real = connect({ url, schema, applicationName: 'identity spec' });
  const { hash, lastEight } = tokenDigest(tokenKey, token);
  await real.execute(sql`
    with person as (insert into account (kind, name) values ('person', 'someone') returning id, kind)
    insert into access_token (account_id, account_kind, name, hash, last_eight)
    select id, kind, 'spec', ${hash}::bytea, ${lastEight} from person`);
  // The real database, with every statement counted.
  database = new Proxy(real, {
    get: (target, name) => {
      if (['query', 'one', 'maybeOne', 'execute', 'transact'].includes(String(name))) statements += 1;
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}, 60_000);
afterAll(async () => {
  await database[Symbol.asyncDispose]();
});

function resolver(burst?: number) {
  const noted: number[] = [];
  const lastUsed = { note: (id: number) => noted.push(id), [Symbol.asyncDispose]: async () => undefined };
  const rate = { perSecond: 1, burst: burst ?? 0 };
  const limits = burst === undefined ? undefined : { anonymous: rate, failedCredentials: rate, account: rate };
  const rateLimiter = createRateLimiter(limits);
  const whyNot = accountRights({ allowCreate: true });
  return { noted, standing: createReadStanding({ database, tokenKey, lastUsed, rateLimiter, whyNot }) };
}
const call = () => ({ deadline: deadlineIn(5_000), requestId: 'spec' });

describe('a standing (authorization.md R1)', () => {
  it('costs one statement, however much is asked', async () => {
    const { standing, noted } = resolver();
    statements = 0;
    const ids = Array.from({ length: 500 }, (_, index) => index + 1);
    const { caller } = await standing({ token, slugs: ['one', 'two', 'three'], organizationIds: ids }, call());
    expect(statements).toBe(1);
    expect(caller).toMatchObject({ login: 'someone' });
    expect(noted).toEqual([caller!.tokenId]);
  });

  it('answers a right that is asked for, by the same statement', async () => {
    const { standing } = resolver();
    const ask = async () => {
      const right = AccountRight.CREATE_ORGANIZATIONS;
      return (await standing({ token, slugs: [], organizationIds: [], right }, call())).caller!.right;
    };
    statements = 0;
    expect(await ask()).toEqual({ held: true, whyNot: '' });
    expect(statements).toBe(1);
    await database.execute(sql`update account set allow_create_organization = false where name = 'someone'`);
    expect(await ask()).toEqual({ held: false, whyNot: expect.stringMatching(/./) });
    expect((await standing({ token, slugs: [], organizationIds: [] }, call())).caller).not.toHaveProperty('right');
  });

  it('costs none for what can be no token', async () => {
    const { standing } = resolver();
    statements = 0;
    await expect(standing({ token: 'x'.repeat(40), slugs: [], organizationIds: [] }, call())).rejects.toThrow(Fault);
    expect(statements).toBe(0);
  });

  it('is limited per account, and says when to come again', async () => {
    const { standing } = resolver(2);
    const ask = (countsAs: number) => (
      standing({ token, slugs: [], organizationIds: [], countsRequest: countsAs > 0, countsAs }, call())
    );
    await ask(1);
    await ask(1);
    await expect(ask(1)).rejects.toMatchObject({
      reason: 'RATE_LIMITED',
      retryAfterSeconds: 1,
      metadata: { rateLimit: '"account";r=0;t=1', rateLimitPolicy: '"account";q=2;w=2' },
    });
    // A read that does not count as a request is not limited.
    expect((await ask(0)).caller).toMatchObject({ login: 'someone' });
    const nobody = await standing({ token: '', slugs: [], organizationIds: [] }, call());
    expect(nobody.caller).toBeUndefined();
  });

  it('counts a large body as several, which are owed', async () => {
    const { standing } = resolver(2);
    const asked = { token, slugs: [], organizationIds: [], countsRequest: true };
    await standing({ ...asked, countsAs: 50 }, call());
    await expect(standing(asked, call())).rejects.toMatchObject({ reason: 'RATE_LIMITED', retryAfterSeconds: 49 });
  });
});
