import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Database, sql } from '@platform/postgres';
import { FactServiceService } from '@platform/proto/facts/v1/facts';
import { deadlineIn } from '@platform/service';
import { as, holding, type Replica, repositoryRoot, rpcClient, shareOf, until } from '@platform/testing';
import * as proof from './facts.proof.ts';
import { type FactsWorld, startFacts } from './fixtures/world.ts';

let world: FactsWorld;

const put = (database: Pick<Database, 'execute'>, key: string, version = 1) => database.execute(sql`
  insert into thing (key, version) values (${key}, ${version})
  on conflict (key) do update set version = excluded.version`);

const applied = async () => (await world.follower.database.query(sql<{ text: string }>`
  select key || '=' || coalesce(version::text, 'gone') as "text" from applied order by id`)).map(({ text }) => text);

/** Restarts the replica at the end of the case. */
const restarted = (replica: Replica): AsyncDisposable => ({ [Symbol.asyncDispose]: () => replica.restart() });

describe('a projection', () => {
  let stack: AsyncDisposableStack;
  beforeAll(async () => {
    stack = new AsyncDisposableStack();
    world = stack.use(await startFacts());
  });
  // Neither side has rows, and nothing was applied yet.
  beforeEach(async () => {
    await world.publisher.database.execute(sql`delete from thing`);
    await world.caughtUp(30_000);
    await world.publisher.database.execute(sql`delete from fact`);
    await world.follower.database.execute(sql`truncate applied`);
  });
  afterAll(() => stack.disposeAsync());

  it('has what comes, what changes, and not what is deleted', async () => {
    const { database } = world.publisher;
    await put(database, 'a');
    await put(database, 'b');
    await world.caughtUp();
    await put(database, 'a', 2);
    await database.execute(sql`delete from thing where key = 'b'`);
    await world.caughtUp();
    expect(await applied()).toEqual(expect.arrayContaining(['a=1', 'b=1', 'a=2', 'b=gone']));
    // A write that changes nothing makes no fact.
    const before = await applied();
    await database.execute(sql`update thing set version = version`);
    await put(database, 'c');
    await world.caughtUp();
    expect(await applied()).toEqual([...before, 'c=1']);
  });

  it('misses nothing of a transaction that commits after later ones', async () => {
    const { database } = world.publisher;
    await database.transact(async (late) => {
      await put(late, 'late');
      for (let number = 0; number < 20; number += 1) await put(database, `later ${number}`);
      // The facts of later transactions wait, so they do not move the position past the facts of this transaction.
      const waiting = await database.one(sql<{ before: boolean }>`
        select min(xid) filter (where key like 'later%') > pg_snapshot_xmin(pg_current_snapshot()) as "before" from fact`);
      expect(waiting).toEqual({ before: true });
      const client = await rpcClient(FactServiceService, world.publisher.service, { serviceCredential: world.credential });
      const responses = client.follow({ kinds: ['cluster'], epoch: '', position: '' }, as(undefined));
      expect((await responses.next()).value).toMatchObject({ facts: [], upToDate: false });
      await responses.return();
    });
    await world.caughtUp();
    expect(new Set(await applied()).size).toBe(21);
  });

  it('has what changes also when notifications are lost, or cannot be heard', async () => {
    const { database, toPostgres } = world.publisher;
    await database.execute(sql`alter table fact disable trigger fact_notice`);
    await put(database, 'lost');
    await world.caughtUp();
    await database.execute(sql`alter table fact enable trigger fact_notice`);
    await toPostgres.refuse();
    await put(database, 'cut');
    await toPostgres.release();
    await world.caughtUp();
    await put(database, 'heard');
    await world.caughtUp();
    expect(await applied()).toEqual(['lost=1', 'cut=1', 'heard=1']);
  });

  it('goes on where it was after both sides were killed', async () => {
    const { database } = world.publisher;
    await put(database, 'a');
    await world.caughtUp();
    const [publisher, follower] = [world.publisher.replicas[0]!, world.follower.replicas[0]!];
    await Promise.all([publisher.kill(), follower.kill()]);
    await put(database, 'b');
    await Promise.all([publisher.restart(), follower.restart()]);
    await world.caughtUp(30_000);
    expect(await applied()).toEqual(['a=1', 'b=1']);
  });

  it.each<[string, (database: Database) => Promise<unknown>]>([
    ['of another epoch', (database) => database.execute(sql`update fact_feed set epoch = gen_random_uuid()`)],
    ['whose deletions are forgotten', (database) => database.execute(sql`
      update fact_feed set forgotten = pg_snapshot_xmax(pg_current_snapshot())`)],
  ])('is read again from the start with rows %s, and loses what is not there', async (_, restore) => {
    const { database } = world.publisher;
    for (const key of ['kept', 'changed', 'lost']) await put(database, key);
    await world.caughtUp();
    await world.follower.replicas[0]!.stop();
    // Simulates a restored backup: triggers do not run.
    await database.transact(async (transaction) => {
      await transaction.execute(sql`alter table thing disable trigger user`);
      await transaction.execute(sql`delete from thing where key = 'lost'`);
      await transaction.execute(sql`delete from fact where key = 'lost'`);
      await transaction.execute(sql`alter table thing enable trigger user`);
    });
    await put(database, 'changed', 2);
    await restore(database);
    await world.follower.replicas[0]!.restart();
    await world.caughtUp();
    expect(await applied()).toEqual(expect.arrayContaining(['changed=2', 'lost=gone']));
    // From here on, facts are followed as before.
    await put(database, 'next');
    await world.caughtUp();
    expect((await applied()).at(-1)).toBe('next=1');
  });

  it('can be waited for, with everything that was committed before', async () => {
    const { publisher, follower, credential: serviceCredential } = world;
    await using client = await rpcClient(FactServiceService, follower.service, { serviceCredential });
    const caughtUp = (from = 'clusters', withinMs = 20_000) =>
      client.catchUp({ from }, { ...as(undefined), deadline: deadlineIn(withinMs) });
    await caughtUp();
    await put(publisher.database, 'a');
    await caughtUp();
    expect(await applied()).toEqual(['a=1']);
    // More facts than one response holds.
    await publisher.database.execute(sql`
      insert into thing (key, version) select 'thing ' || number, 1 from generate_series(1, 1200) as number`);
    await caughtUp();
    expect(await applied()).toHaveLength(1201);
    // All facts are read again. Keys that no longer exist are removed at the end.
    await publisher.database.transact(async (transaction) => {
      await transaction.execute(sql`delete from thing where key = 'a'`);
      await transaction.execute(sql`delete from fact where key = 'a'`);
      await transaction.execute(sql`update fact_feed set epoch = gen_random_uuid()`);
    });
    await caughtUp();
    expect((await applied()).at(-1)).toBe('a=gone');
    // This service follows no facts of orgs-teams, so there is nothing to wait for.
    await caughtUp('orgs-teams');
    await using _later = restarted(publisher.replicas[0]!);
    await publisher.replicas[0]!.stop();
    await expect(caughtUp('clusters', 1_000)).rejects.toMatchObject({
      reason: expect.stringMatching(/^(UNAVAILABLE|DEADLINE_EXCEEDED)$/),
    });
  });

  it('says how far behind it is, and stays ready while the publisher is away', async () => {
    await world.caughtUp();
    const { admin } = world.follower.service.addresses;
    const behind = async () => {
      const text = await (await fetch(`http://${admin}/metrics`)).text();
      return Number(/facts_behind_seconds\{[^}]*source="clusters"[^}]*\} (\S+)/.exec(text)?.[1]);
    };
    await until(async () => (await behind()) < 5, { what: 'it is up to date' });
    await using _later = restarted(world.publisher.replicas[0]!);
    await world.publisher.replicas[0]!.stop();
    await world.follower.database.execute(sql`
      update followed_source set up_to_date_at = now() - interval '2 minutes'`);
    expect(await behind()).toBeGreaterThan(110);
    const ready = await fetch(`http://${admin}/readyz`);
    expect(ready.status).toBe(200);
    expect(await ready.text()).toMatch(/facts of clusters.*12\d s behind/s);
  });
});

describe('a projection of restored rows', () => {
  it('is read again where the transactions of restored rows are ahead of the server that has them now', async () => {
    world = await startFacts();
    await using _world = world;
    const { database } = world.publisher;
    await put(database, 'a');
    await world.caughtUp();
    await world.publisher.replicas[0]!.stop();
    // Simulates a restore into a new server. Its transaction numbers are lower than those of the restored rows.
    await database.execute(sql`update fact set xid = '900000000000'`);
    await database.execute(sql`update fact_feed set epoch = gen_random_uuid()`);
    await world.follower.database.execute(sql`update followed_source set position = '900000000001:0'`);
    await world.follower.database.execute(sql`truncate projected`);
    await world.publisher.replicas[0]!.restart();
    await world.caughtUp(30_000);
    await put(database, 'b');
    await world.caughtUp();
  });
});

describe('several replicas', () => {
  it('apply each fact once, and take over from each other', async () => {
    world = await startFacts({ followers: 2 });
    await using _world = world;
    const { database } = world.publisher;
    for (let number = 0; number < 50; number += 1) await put(database, `thing ${number}`);
    await world.caughtUp();
    for (const replica of world.follower.replicas) {
      await replica.kill();
      await put(database, `without ${replica.pid}`);
      await world.caughtUp(30_000);
      await replica.restart();
    }
    const all = await applied();
    expect(all).toHaveLength(52);
    expect(new Set(all).size).toBe(52);
  });
});

describe('a publisher', () => {
  it('refuses kinds that it does not publish, and positions that it never gave', async () => {
    world = await startFacts();
    await using _world = world;
    const read = async (kinds: string[], epoch = '', position = '') => {
      for await (const _ of client.follow({ kinds, epoch, position }, as(undefined))) return 'OK';
      return 'nothing';
    };
    const serviceCredential = world.credential;
    const client = await rpcClient(FactServiceService, world.publisher.service, { serviceCredential });
    expect(await read(['cluster'])).toBe('OK');
    await expect(read(['account'])).rejects.toMatchObject({ reason: 'INVALID_VALUE' });
    await expect(read([])).rejects.toMatchObject({ reason: 'INVALID_VALUE' });
    await expect(read(['cluster'], 'some epoch', '12; drop table fact')).rejects.toMatchObject({ reason: 'INVALID_VALUE' });
    const stranger = await rpcClient(FactServiceService, world.publisher.service);
    await expect(stranger.follow({ kinds: ['cluster'], epoch: '', position: '' }, as(undefined)).next())
      .rejects.toMatchObject({ reason: 'UNAUTHENTICATED' });
  });
});

it('nothing is missing or applied twice after kills and cuts (a share of the proof facts)', async () => {
  expect(await shareOf(proof, 0.02)).toEqual(holding);
}, 300_000);

it('the migrations of services hold the tables as they are here', () => {
  const templates = ['publish', 'follow', 'event-outbox'].map((name) => readFileSync(join(repositoryRoot, `libs/facts/sql/${name}.sql`), 'utf8'));
  const copies = globSync('apps/*/migrations/*.sql', { cwd: repositoryRoot })
    .map((file) => ({ file, text: readFileSync(join(repositoryRoot, file), 'utf8') }))
    .filter(({ text }) => /create table (fact_feed|followed_source|event_outbox)/.test(text));
  expect(copies.length).toBeGreaterThan(0);
  for (const { file, text } of copies) {
    expect({ file, holds: templates.some((template) => text.includes(template)) }).toEqual({ file, holds: true });
  }
});
