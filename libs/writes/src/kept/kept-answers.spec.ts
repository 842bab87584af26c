import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Fault } from '@platform/faults';
import { type Database, sql } from '@platform/postgres';
import type { Caller } from '@platform/proto/orgs/v1/identity';
import { AdmissionChanged } from '@platform/rpc';
import { createSealer, deadlineIn, Secret } from '@platform/service';
import { Makes, type Method } from '@platform/surface';
import { until } from '@platform/testing';
import { contextOf, locks, thing, thingsDatabase } from '../fixtures/things.ts';
import { deleteOldAnswers } from '../retention.ts';
import { createWrite, type Work, type Write } from '../write.ts';
import { createKeptAnswers } from './kept-answers.ts';

let database: Database;
let write: Write;
beforeAll(async () => {
  database = await thingsDatabase();
  const admission = { begin: async () => ({ locks: [], confirm: async () => undefined, beforeCommit: () => undefined }) };
  write = createWrite({ database, locks, admission }) as unknown as Write;
});
afterAll(async () => database[Symbol.asyncDispose]());
beforeEach(async () => {
  await database.execute(sql`delete from kept_answer`);
  await database.execute(sql`update thing set owner_id = 1`);
});

const kept = () => createKeptAnswers(database, createSealer([new Secret('f'.repeat(64))]));
const keys = { key: randomBytes(32), body: randomBytes(32) };
const methods = (makes: Makes) => ({ rest: { makes }, statuses: new Map() }) as unknown as Method;
const codec = { encode: (text: string) => Buffer.from(text), decode: (bytes: Buffer) => bytes.toString() };
const made = () => database.query(sql<{ owner: number }>`select owner_id as "owner" from thing where id = 1`);

interface Asked {
  readonly makes?: Makes;
  readonly body?: Buffer;
  readonly account?: number;
  readonly token?: number;
  readonly scopes?: readonly string[];
  readonly act: (attempt: object) => Promise<string>;
}

/** The answer, with a star for a replayed one; or the reason of the refusal. */
async function ask(
  { makes = Makes.AT_ONCE, body = keys.body, account = 7, token = 1, scopes = ['all'], act }: Asked,
): Promise<string> {
  const caller = { id: account, tokenId: token, scopes } as unknown as Caller;
  const call = { method: methods(makes), caller, deadline: deadlineIn(10_000) };
  try {
    const { response, replayed } = await kept().answer({ key: keys.key, body }, call, codec, act);
    return replayed ? `${response}*` : response;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return error.metadata['replayed'] === undefined ? error.reason : `${error.reason}*`;
  }
}

/** A handler that adds one to a row and answers the secret. */
const adding = (
  secret: string, more: (work: Work) => Promise<unknown> = async () => undefined,
) => async (attempt: object): Promise<string> => {
  const owner = await write({ ...contextOf(), attempt }, [], async (work) => {
    const row = await work.one(sql<{ owner: number }>`
      update thing set owner_id = owner_id + 1 where id = 1 returning owner_id as "owner"`);
    await more(work);
    return row.owner;
  });
  return `${secret} ${owner}`;
};

describe('an answer that is kept in the transaction of its change', () => {
  it('is given again, without a second change', async () => {
    expect([await ask({ act: adding('a') }), await ask({ act: adding('b') }), await made()]).toEqual(['a 2', 'a 2*', [{ owner: 2 }]]);
  });

  it('is stored sealed', async () => {
    await ask({ act: adding('a secret') });
    const [row] = await database.query(sql<{ text: string }>`select encode(sealed_secret, 'escape') as "text" from kept_answer`);
    expect(row!.text).not.toContain('a secret');
    expect(row!.text).not.toContain(Buffer.from('a secret').toString('base64').slice(0, 8));
  });

  it('belongs to one account and one body', async () => {
    await ask({ act: adding('a') });
    expect(await ask({ body: randomBytes(32), act: adding('b') })).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(await ask({ account: 8, act: adding('b') })).toBe('b 3');
  });

  it('is given to the token that asked, and to others that may do all', async () => {
    const scopes = ['write:user'];
    await ask({ scopes, act: adding('a') });
    expect(await ask({ scopes, act: adding('b') })).toBe('a 2*');
    expect(await ask({ token: 2, scopes, act: adding('b') })).toBe('MISSING_SCOPE');
    expect(await ask({ token: 2, act: adding('b') })).toBe('a 2*');
  });

  it('is there exactly when the change is: neither where the answer fails to be kept', async () => {
    const asking = ask({
      act: adding('a', (work) => work.execute(sql`
        insert into kept_answer (account_id, token_id, key, body, claim, claimed_until)
        values (7, 1, '\\x00', '\\x00', gen_random_uuid(), now())`).then(() => Promise.reject(new Error('broken')))),
    });
    await expect(asking).rejects.toThrow('broken');
    expect([await made(), await database.query(sql`select from kept_answer`)]).toEqual([[{ owner: 1 }], []]);
  });

  it('is there exactly when the change is: neither where the connection is lost before the commit', async () => {
    const act = async (attempt: object) => {
      const answer = await adding('a')(attempt);
      await database.execute(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and state = 'idle in transaction'`);
      return answer;
    };
    await expect(ask({ act })).rejects.toThrow();
    expect(await made()).toEqual([{ owner: 1 }]);
    expect([await ask({ act: adding('b') }), await made()]).toEqual(['b 2', [{ owner: 2 }]]);
  });

  it('leaves the decision again to the guard where the admission has changed', async () => {
    const changed = () => Promise.reject(new AdmissionChanged());
    await expect(ask({ act: adding('a', changed) })).rejects.toThrow(AdmissionChanged);
    expect(await ask({ act: adding('a') })).toBe('a 2');
  });

  it('is made once by many at once: the others get it, or are told to come again', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => ask({ act: adding(`${index}`) })));
    const given = answers.filter((answer) => answer !== 'CONFLICT').map((answer) => answer.replace('*', ''));
    expect(new Set(given).size).toBe(1);
    expect(answers.filter((answer) => / 2$/.test(answer))).toHaveLength(1);
    expect(await made()).toEqual([{ owner: 2 }]);
  });

  it('keeps refusals of the request, and no others', async () => {
    const refusing = (reason: 'ALREADY_EXISTS' | 'FORBIDDEN' | 'CONFLICT' | 'UNAVAILABLE') => ask({
      act: () => Promise.reject(new Fault(reason, 'no', { retryAfterSeconds: 1 })),
    });
    for (const reason of ['FORBIDDEN', 'CONFLICT', 'UNAVAILABLE'] as const) {
      expect([await refusing(reason), await refusing(reason)]).toEqual([reason, reason]);
    }
    expect([await refusing('ALREADY_EXISTS'), await ask({ act: adding('a') })]).toEqual(['ALREADY_EXISTS', 'ALREADY_EXISTS*']);
  });

  it('commits what was written before a refusal, as without a key', async () => {
    const act = async (attempt: object): Promise<string> => {
      await adding('a')(attempt);
      throw new Fault('QUOTA_EXCEEDED', 'no');
    };
    expect([await ask({ act }), await made()]).toEqual(['QUOTA_EXCEEDED', [{ owner: 2 }]]);
  });

  it('belongs to the last write of several', async () => {
    const act = async (attempt: object) => {
      await adding('a')(attempt);
      return await adding('b')(attempt);
    };
    expect([await ask({ act }), await ask({ act }), await made()]).toEqual(['b 3', 'b 3*', [{ owner: 3 }]]);
  });

  it('is forgotten after 24 hours', async () => {
    await ask({ act: adding('a') });
    await database.execute(sql`update kept_answer set at = now() - interval '24 hours'`);
    expect(await ask({ body: randomBytes(32), act: adding('b') })).toBe('b 3');
    await database.execute(sql`update kept_answer set at = now() - interval '25 hours'`);
    await deleteOldAnswers(database, { deadline: deadlineIn(5_000) });
    expect(await database.query(sql`select from kept_answer`)).toEqual([]);
  });
});

describe('an answer of several steps', () => {
  const makes = Makes.IN_STEPS;

  it('is kept after the last one, and refuses others meanwhile', async () => {
    const [begun, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const first = ask({ makes, act: async () => (begun.resolve(), await release.promise, 'a') });
    await begun.promise;
    expect(await ask({ makes, act: async () => 'b' })).toBe('CONFLICT');
    expect(await ask({ makes, body: randomBytes(32), act: async () => 'b' })).toBe('IDEMPOTENCY_KEY_REUSED');
    release.resolve();
    expect([await first, await ask({ makes, act: async () => 'b' })]).toEqual(['a', 'a*']);
  });

  it('does not hold back the writes of the handler', async () => {
    const act = async (attempt: object) => {
      const answer = await adding('a')(attempt);
      await until(async () => (await made())[0]!.owner === 2, { what: 'the write is committed' });
      return answer;
    };
    expect(await ask({ makes, act })).toBe('a 2');
  });

  it('is made anew after a refusal that is not kept, and after one that was cut off', async () => {
    expect(await ask({ makes, act: () => Promise.reject(new Fault('FORBIDDEN', 'no')) })).toBe('FORBIDDEN');
    const cut = ask({ makes, act: () => Promise.reject(new Error('killed')) });
    await expect(cut).rejects.toThrow('killed');
    await database.execute(sql`
      insert into kept_answer (account_id, token_id, key, body, claim, claimed_until)
      values (7, 1, ${keys.key}, ${keys.body}, gen_random_uuid(), now() - interval '1 second')`);
    expect(await ask({ makes, body: randomBytes(32), act: async () => 'b' })).toBe('IDEMPOTENCY_KEY_REUSED');
    expect([await ask({ makes, act: async () => 'c' }), await ask({ makes, act: async () => 'd' })]).toEqual(['c', 'c*']);
  });
});

it('a write without a key is committed before its result is given', async () => {
  await write(contextOf(), [thing(1)], (work) => work.execute(sql`update thing set owner_id = 5 where id = 1`));
  expect(await made()).toEqual([{ owner: 5 }]);
});
