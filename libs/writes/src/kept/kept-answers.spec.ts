import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Fault } from '@platform/faults';
import { type Database, sql } from '@platform/postgres';
import type { Caller } from '@platform/proto/orgs/v1/identity';
import { AdmissionChanged } from '@platform/rpc';
import { deadlineIn, Secret } from '@platform/service';
import { Makes, type Method } from '@platform/surface';
import { until } from '@platform/testing';
import { contextOf, locks, thing, thingsDatabase } from '../fixtures/things.ts';
import { deleteOldAnswers } from '../retention.ts';
import { createWrite, type Work, type Write } from '../write.ts';
import { createKeptAnswers } from './kept-answers.ts';
import { forLastStep, repeatedRequest } from './steps.ts';

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

const [older, newer] = [new Secret('older key'), new Secret('newer key')];
const kept = (secrets = [newer, older]) => createKeptAnswers(database, secrets);
const keys = { key: randomBytes(32), body: randomBytes(32) };
const methods = (makes: Makes) => ({ rest: { makes }, statuses: new Map() }) as unknown as Method;
const codec = { encode: (text: string) => Buffer.from(text), decode: (bytes: Buffer) => bytes.toString() };
const made = () => database.query(sql<{ owner: number }>`select owner_id as "owner" from thing where id = 1`);

interface Asked {
  readonly makes?: Makes;
  readonly body?: Buffer;
  readonly account?: number;
  readonly token?: number;
  /** The object that the token is bound to. */
  readonly cluster?: string;
  readonly slot?: string;
  readonly secrets?: Secret[];
  readonly keys?: typeof keys;
  readonly withinMs?: number;
  readonly scopes?: readonly string[];
  readonly act: (attempt: object) => Promise<string>;
}

/** Returns the answer, with a star if it is replayed; or the reason of the refusal. */
async function ask(
  {
    makes = Makes.AT_ONCE, keys: { key, body: usual } = keys, body = usual, account = 7, token = 1, cluster, slot,
    secrets, scopes = ['all'], withinMs = 10_000, act,
  }: Asked,
): Promise<string> {
  const caller = {
    id: account, tokenId: token, scopes, tokenClusterUid: cluster, tokenSlot: slot,
  } as unknown as Caller;
  const call = { method: methods(makes), caller, deadline: deadlineIn(withinMs) };
  try {
    const { response, replayed } = await kept(secrets).answer({ key, body }, call, codec, act);
    return replayed ? `${response}*` : response;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return error.metadata['replayed'] === undefined ? error.reason : `${error.reason}*`;
  }
}

/** A handler that adds one to a row and returns the secret. */
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

  it('belongs to the cluster and the slot that the token was made for', async () => {
    await ask({ cluster: 'a', slot: 'x', act: adding('a') });
    expect(await ask({ token: 2, cluster: 'b', slot: 'x', act: adding('b') })).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(await ask({ token: 2, cluster: 'a', slot: 'y', act: adding('b') })).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(await ask({ token: 2, act: adding('b') })).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(await ask({ token: 2, cluster: 'a', slot: 'x', act: adding('b') })).toBe('a 2*');
  });

  it('stores what recognizes a body by a key, and knows it by each key', async () => {
    await ask({ secrets: [older], act: adding('a') });
    const stored = async () => (await database.one(sql<{ body: Buffer }>`select body from kept_answer`)).body;
    expect((await stored()).equals(keys.body)).toBe(false);
    expect(await ask({ secrets: [newer, older], act: adding('b') })).toBe('a 2*');
    const byOlder = await stored();
    await database.execute(sql`delete from kept_answer`);
    await ask({ secrets: [newer], act: adding('c') });
    expect((await stored()).equals(byOlder)).toBe(false);
  });

  it('is given to the token that asked, and to others that may do all', async () => {
    const scopes = ['write:user'];
    await ask({ scopes, act: adding('a') });
    expect(await ask({ scopes, act: adding('b') })).toBe('a 2*');
    expect(await ask({ token: 2, scopes, act: adding('b') })).toBe('MISSING_SCOPE');
    expect(await ask({ token: 2, act: adding('b') })).toBe('a 2*');
  });

  it('is there exactly when the change is: neither where the answer fails to be kept', async () => {
    await database.execute(sql`
      create function refuse_answers() returns trigger language plpgsql as 'begin raise exception using errcode = ''P0001''; end'`);
    await database.execute(sql`
      create trigger refuse_answers before insert on kept_answer for each row execute function refuse_answers()`);
    try {
      await expect(ask({ act: adding('a') })).rejects.toThrow();
    } finally {
      await database.execute(sql`drop function refuse_answers cascade`);
    }
    expect([await made(), await ask({ act: adding('b') })]).toEqual([[{ owner: 1 }], 'b 2']);
  });

  it('leaves no transaction open: of two writes at once, of one after the answer, of a handler that does not answer', async () => {
    const both = async (attempt: object) => (await Promise.all([adding('a')(attempt), adding('b')(attempt)])).join();
    expect([await ask({ act: both }), await made()]).toEqual(['a 2,b 3', [{ owner: 3 }]]);

    const late = Promise.withResolvers<object>();
    const others = { ...keys, key: randomBytes(32) };
    expect(await ask({ keys: others, act: async (attempt) => (late.resolve(attempt), 'a') })).toBe('a');
    await expect(adding('late')(await late.promise)).rejects.toThrow('after its answer');

    const act = async (attempt: object) => (await adding('a')(attempt), await new Promise<string>(() => undefined));
    void ask({ keys: { ...keys, key: randomBytes(32) }, withinMs: 300, act });
    const open = () => database.query(sql`
      select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`);
    await until(async () => (await open()).length === 1, { what: 'the write waits for its answer' });
    await until(async () => (await open()).length === 0, { what: 'the write is rolled back' });
    expect(await made()).toEqual([{ owner: 3 }]);
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

  it('is not made while another request of its key is under way', async () => {
    const [begun, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const first = ask({
      act: async (attempt) => {
        const answer = await adding('a')(attempt);
        begun.resolve();
        await release.promise;
        return answer;
      },
    });
    await begun.promise;
    // This write locks no rows, so only the key can be the reason for CONFLICT.
    const other = (attempt: object) => write({ ...contextOf(), attempt }, [], async () => 'b');
    const meanwhile = await ask({ act: other });
    release.resolve();
    expect([meanwhile, await first, await ask({ act: other }), await made()])
      .toEqual(['CONFLICT', 'a 2', 'a 2*', [{ owner: 2 }]]);
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

  it('goes on after a refusal that is not kept, and after a crash, under the id of the request', async () => {
    const requests: (string | undefined)[] = [];
    const noting = (answer: () => Promise<string>) => async (attempt: object) => {
      requests.push(repeatedRequest({ attempt }));
      return await answer();
    };
    const refusing = noting(() => Promise.reject(new Fault('FORBIDDEN', 'no')));
    expect(await ask({ makes, act: refusing })).toBe('FORBIDDEN');
    await expect(ask({ makes, act: noting(() => Promise.reject(new Error('killed'))) })).rejects.toThrow('killed');
    const hanging = Promise.withResolvers<string>();
    const begun = Promise.withResolvers<void>();
    const crashed = ask({ makes, act: noting(() => (begun.resolve(), hanging.promise)) });
    await begun.promise;
    expect(await ask({ makes, act: async () => 'b' })).toBe('CONFLICT');
    await database.execute(sql`update kept_answer set claimed_until = now() - interval '1 second'`);
    expect(await ask({ makes, body: randomBytes(32), act: async () => 'b' })).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(await ask({ makes, secrets: [older, newer], act: noting(async () => 'c') })).toBe('c');
    hanging.resolve('late');
    expect([await crashed, await ask({ makes, act: async () => 'd' })]).toEqual(['late', 'c*']);
    expect([requests.length, new Set(requests).size, typeof requests[0]]).toEqual([4, 1, 'string']);

    await database.execute(sql`update kept_answer set at = now() - interval '24 hours'`);
    expect(await ask({ makes, act: noting(async () => 'e') })).toBe('e');
    expect(new Set(requests).size).toBe(2);
    expect(repeatedRequest(contextOf())).toBeUndefined();
  });

  it('is kept in the transaction of the last step where the handler says which one that is', async () => {
    const last = (act: (attempt: object) => Promise<string>) => (attempt: object) => act(forLastStep({ attempt }).attempt);
    const crashing = last(async (attempt) => {
      const answer = await adding('a')(attempt);
      await database.execute(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and state = 'idle in transaction'`);
      return answer;
    });
    await expect(ask({ makes, act: crashing })).rejects.toThrow();
    expect(await made()).toEqual([{ owner: 1 }]);
    const again = last(adding('b'));
    expect([await ask({ makes, act: again }), await ask({ makes, act: again }), await made()]).toEqual(['b 2', 'b 2*', [{ owner: 2 }]]);
  });

  it('is not kept with its last step once another attempt is under way', async () => {
    const act = async (attempt: object) => {
      const answer = await adding('late')(forLastStep({ attempt }).attempt);
      await database.execute(sql`update kept_answer set claim = gen_random_uuid()`);
      return answer;
    };
    expect([await ask({ makes, act }), await made()]).toEqual(['CONFLICT', [{ owner: 1 }]]);
  });
});

it('a write without a key is committed before its result is given', async () => {
  await write(contextOf(), [thing(1)], (work) => work.execute(sql`update thing set owner_id = 5 where id = 1`));
  expect(await made()).toEqual([{ owner: 5 }]);
});
