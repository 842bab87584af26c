import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { tcpProxy, type TcpProxy, testDatabase, type TestDatabase, until } from '@platform/testing';
import { connect } from './connect.ts';
import type { Database } from './database.ts';
import { sql } from './sql.ts';

let stack: AsyncDisposableStack;
let own: TestDatabase;
let way: TcpProxy;
let direct: Database;
let listening: Database;

beforeEach(async () => {
  stack = new AsyncDisposableStack();
  own = stack.use(await testDatabase('notices', { migrations: '/nonexistent' }));
  way = stack.use(await tcpProxy(own.url));
  direct = stack.use(connect({ url: own.url, schema: own.schema, applicationName: 'spec' }));
  const url = Object.assign(new URL(own.url), { host: way.address }).href;
  listening = stack.use(connect({ url, schema: own.schema, applicationName: 'spec' }));
});
afterEach(() => stack.disposeAsync());

/** Counts how often a topic was heard. */
function countsOf(topic: string) {
  const counts = { heard: 0 };
  listening.notices.on(topic, () => {
    counts.heard += 1;
  });
  return counts;
}

const notify = (topic: string, channel = own.schema) => direct.execute(sql`select pg_notify(${channel}, ${topic})`);
const areHeard = (expected: boolean) =>
  until(() => listening.notices.areHeard === expected, { what: `notifications are heard: ${expected}` });

describe('notifications', () => {
  it('are heard after their commit, by who listens to their topic in their schema', async () => {
    const [things, others] = [countsOf('things'), countsOf('others')];
    await areHeard(true);
    expect([things.heard, others.heard]).toEqual([1, 1]);
    await direct.transact(async (transaction) => {
      await transaction.execute(sql`select pg_notify(${own.schema}, 'things')`);
      throw new Error('refused');
    }).catch(() => undefined);
    await notify('things', 'another_schema');
    await notify('others');
    await until(() => others.heard === 2, { what: 'the last one is heard' });
    expect(things.heard).toBe(1);
    await notify('things');
    await until(() => things.heard === 2, { what: 'it is heard' });
  });

  it('say when the connection is lost and when it is there again, so that nobody waits for a lost one', async () => {
    const things = countsOf('things');
    await areHeard(true);
    await way.refuse();
    await areHeard(false);
    expect(things.heard).toBe(2);
    await notify('things');
    await way.release();
    await areHeard(true);
    expect(things.heard).toBe(3);
    await notify('things');
    await until(() => things.heard === 4, { what: 'it is heard' });
  });

  it('need no connection while nobody listens, and give theirs back', async () => {
    const connections = async () => (await direct.one(sql<{ count: number }>`
      select count(*)::integer as "count" from pg_stat_activity
       where datname = current_database() and query ilike 'listen %'`)).count;
    expect(await connections()).toBe(0);
    countsOf('things');
    await until(async () => (await connections()) === 1, { what: 'it listens' });
    await listening[Symbol.asyncDispose]();
    await until(async () => (await connections()) === 0, { what: 'the connection is closed' });
  });
});
