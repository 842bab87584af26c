import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { Resource } from '@platform/kubernetes';
import { answerQuestion } from '../bus/answer-question.ts';
import { openQueue } from './queue.ts';
import { openStore, type Statement, type Store } from './store.ts';

const folders: string[] = [];
const folder = () => {
  const made = mkdtempSync(join(tmpdir(), 'agent-store-'));
  folders.push(made);
  return made;
};
afterAll(() => folders.forEach((one) => rmSync(one, { recursive: true })));

const resource: Resource = {
  group: 'apps', version: 'v1', name: 'deployments', kind: 'Deployment', scope: 'Namespaced',
};
const key = 'apps/deployments';
const statement = (uid: string, content: string, given: Partial<Statement> = {}): Statement => ({
  uid, resource, generation: 1, ...given,
  content: (licence) => ({ source: `/${licence}`, data: JSON.stringify({ licence, content }) }),
});
const at = (hours: number) => new Date(Date.UTC(2026, 0, 1, hours));
const open = (where = folder()) => {
  const store = openStore(where, 'platform.dev');
  store.useLicence('1');
  return store;
};
/** Each queued event as `id action content`. */
const queued = ({ queue }: Store) => queue.first(100).map(({ text }) => {
  const { id, type, data } = JSON.parse(text) as { id: string; type: string; data: { content: string } };
  return `${id} ${type.split('.').at(-2)} ${data.content}`;
});

describe('the store of an agent', () => {
  it('says what is new, what has changed and what is gone, and nothing twice', () => {
    using store = open();
    for (const content of ['a', 'a', 'b', 'b']) store.say(statement('x', content), at(0));
    store.sayGone('x', at(1));
    store.sayGone('x', at(1));
    store.sayGone('never', at(1));
    store.say(statement('x', 'b'), at(2));
    expect(queued(store)).toEqual(['x.1 created a', 'x.1 updated b', 'x.1 deleted b', 'x.1 created b']);
  });

  it('distinguishes an object that is again as it was from a repeat', () => {
    using store = open();
    for (const [hour, content] of ['a', 'b', 'a', 'b'].entries()) store.say(statement('x', content), at(hour));
    const identities = store.queue.first(10).map(({ text }) => {
      const { id, source, type, data } = JSON.parse(text) as Record<string, unknown>;
      return JSON.stringify([id, source, type, data]);
    });
    expect(new Set(identities).size).toBe(4);
  });

  it('counts for kinds without a generation', () => {
    using store = open();
    for (const content of ['a', 'b', 'c']) store.say(statement('x', content, { generation: undefined }), at(0));
    expect(queued(store)).toEqual(['x.1 created a', 'x.2 updated b', 'x.3 updated c']);
  });

  it('repeats what was not said for an hour, with the same bytes except the time', () => {
    using store = open();
    store.say(statement('x', 'a'), at(0));
    store.say(statement('y', 'a'), at(1));
    expect(store.repeat(key, at(0), at(1), 10)).toBe(1);
    expect(store.repeat(key, at(0), at(1), 10)).toBe(0);
    const [first, , again] = store.queue.first(10).map(({ text }) => text);
    expect(again).toBe(first!.replace('T00:00', 'T01:00'));
    expect(again).not.toBe(first);
  });

  it('says nothing because of another licence, and the next change under it', () => {
    using store = open();
    store.say(statement('x', 'a'), at(0));
    store.useLicence('2');
    store.say(statement('x', 'a'), at(1));
    expect(store.repeat(key, at(0), at(1), 10)).toBe(1);
    store.say(statement('x', 'b'), at(2));
    expect(store.queue.first(10).map(({ text }) => (JSON.parse(text) as { source: string }).source))
      .toEqual(['/1', '/1', '/2']);
    expect(queued(store)).toEqual(['x.1 created a', 'x.1 created a', 'x.1 updated b']);
  });

  it('knows after a restart what it has said, and what the bus has not taken', () => {
    const where = folder();
    {
      using store = open(where);
      store.transact(() => ['x', 'y', 'z'].forEach((uid) => store.say(statement(uid, 'a'), at(0))));
      store.queue.taken(store.queue.first(1));
    }
    using store = open(where);
    expect(queued(store)).toEqual(['y.1 created a', 'z.1 created a']);
    expect(store.queue.length).toBe(2);
    store.say(statement('x', 'a'), at(1));
    expect([store.queue.length, store.known(key)]).toEqual([2, ['x', 'y', 'z']]);
    store.forgetOthers(['apps/statefulsets']);
    expect(store.known(key)).toEqual([]);
  });

  it('takes back what was said in a transaction that failed', () => {
    using store = open();
    expect(() => store.transact(() => {
      store.say(statement('x', 'a'), at(0));
      throw new Error('stop');
    })).toThrow('stop');
    expect([queued(store), store.queue.length, store.queue.bytes, store.known(key)]).toEqual([[], 0, 0, []]);
  });

  it('is used by one agent at a time', () => {
    const where = folder();
    using store = open(where);
    expect(store.queue.length).toBe(0);
    expect(() => open(where)).toThrow('locked');
  });
});

describe('a clock that steps back', () => {
  const noon = Date.UTC(2026, 0, 1, 12);
  const second = (seconds: number) => new Date(noon + seconds * 1_000);
  const hourBefore = (now: Date) => new Date(now.getTime() - 3_600_000);
  /** Each queued event as `action content seconds`. */
  const timed = ({ queue }: Store) => queue.first(100).map(({ text }) => {
    const { type, time, data } = JSON.parse(text) as { type: string; time: string; data: { content: string } };
    return `${type.split('.').at(-2)} ${data.content} ${(Date.parse(time) - noon) / 1_000}`;
  });

  it('changes no order: not of changes, not of a deletion, not of what comes after it', () => {
    using store = open();
    store.say(statement('x', 'a'), second(5));
    store.say(statement('x', 'b'), second(-2));
    store.sayGone('x', second(-1));
    store.say(statement('x', 'b'), second(0));
    store.say(statement('y', 'a'), second(0));
    store.say(statement('x', 'c'), second(6));
    expect(timed(store)).toEqual([
      'created a 5', 'updated b 5.001', 'deleted b 5.002', 'created b 5.003', 'created a 0', 'updated c 6',
    ]);
  });

  it('changes no order after restarts, nor for a kind that is reported again', () => {
    const where = folder();
    {
      using store = open(where);
      store.say(statement('x', 'a'), second(5));
      store.say(statement('y', 'a'), second(5));
      store.sayGone('y', second(5));
    }
    {
      using store = open(where);
      store.say(statement('x', 'b'), second(0));
      store.say(statement('y', 'b'), second(0));
      store.forgetOthers([]);
    }
    using store = open(where);
    store.say(statement('x', 'b'), second(1));
    expect(timed(store)).toEqual([
      'created a 5', 'created a 5', 'deleted a 5.001', 'updated b 5.001', 'created b 5.002', 'created b 5.002',
    ]);
  });

  it('is followed by all that was said too far ahead to be accepted', () => {
    using store = open();
    for (const uid of ['x', 'y', 'z']) store.say(statement(uid, 'a'), second(601));
    store.say(statement('w', 'a'), second(600));
    store.queue.taken(store.queue.first(4));
    store.say(statement('x', 'b'), second(0.5));
    store.sayGone('y', second(0.5));
    store.say(statement('w', 'b'), second(0.5));
    expect(store.repeat(key, hourBefore(second(0.5)), second(0.5), 10)).toBe(1);
    expect(store.repeat(key, hourBefore(second(0.5)), second(0.5), 10)).toBe(0);
    store.say(statement('z', 'b'), second(0.5));
    expect(timed(store)).toEqual([
      'updated b 0.5', 'deleted a 0.5', 'updated b 600.001', 'created a 0.5', 'updated b 0.501',
    ]);
  });

  it('does not silence repeats, and no repeat comes before its event', () => {
    using store = open();
    store.say(statement('x', 'a'), second(-7_200));
    expect(store.repeat(key, hourBefore(second(300)), second(300), 10)).toBe(1);
    store.say(statement('y', 'a'), second(300));
    expect(store.repeat(key, hourBefore(second(0)), second(0), 10)).toBe(1);
    expect(store.repeat(key, hourBefore(second(0)), second(0), 10)).toBe(0);
    expect(timed(store)).toEqual(['created a -7200', 'created a 300', 'created a 300', 'created a 0']);
    expect(store.repeat(key, hourBefore(second(3_900)), second(3_900), 10)).toBe(2);
  });

  it('repeats no more at once than asked for', () => {
    using store = open();
    for (const uid of ['v', 'w']) store.say(statement(uid, 'a'), second(-7_200));
    for (const uid of ['x', 'y', 'z']) store.say(statement(uid, 'a'), second(7_200));
    const repeat = () => store.repeat(key, hourBefore(second(0)), second(0), 3);
    expect([repeat(), repeat(), repeat()]).toEqual([3, 2, 0]);
  });
});

describe('a queue that is full', () => {
  it('drops the oldest repeats, then updates, and never what came or went', () => {
    const queue = openQueue(new DatabaseSync(':memory:'), 1_000);
    const text = 'x'.repeat(100);
    for (const change of ['created', 'repeated', 'updated', 'deleted'] as const) {
      for (let count = 0; count < 4; count += 1) queue.add(change, text, at(0));
    }
    expect(queue.bytes).toBe(800);
    for (let count = 0; count < 12; count += 1) queue.add('created', text, at(0));
    expect([queue.length, queue.bytes]).toEqual([20, 2_000]);
  });

  it('loses nothing that was committed when the agent is killed', async () => {
    const where = folder();
    const mostBytes = 20_000;
    let committed = -1;
    for (let kill = 1; kill <= 3; kill += 1) {
      const goal = committed + 100;
      const argv = [where, String(mostBytes), String(committed + 1)];
      const child = fork(join(import.meta.dirname, '../testdata/write-store.ts'), argv);
      child.on('message', (number) => {
        committed = number as number;
        if (committed === goal) child.kill('SIGKILL');
      });
      expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
    }
    using store = openStore(where, 'platform.dev', mostBytes);
    const events = store.queue.first(10_000).map(({ text }) => JSON.parse(text) as { subject: string; type: string });
    const isUpdate = ({ type }: { type: string }) => type.endsWith('.updated.v1');
    // The queue exceeds its limit, so only the update that was added last remains.
    expect(store.queue.bytes).toBeGreaterThan(mostBytes);
    expect(events.filter(isUpdate).length).toBeLessThanOrEqual(1);
    const created = events.filter((event) => !isUpdate(event)).map(({ subject }) => subject);
    const expected = ['changed', ...Array.from({ length: committed + 1 }, (_, number) => `object-${number}`)];
    expect(created.slice(0, expected.length)).toEqual(expected);
    expect(store.known('core/nodes')).toHaveLength(created.length);
  }, 60_000);

  it('drops what would be too late to be counted, but not what came or went', () => {
    const queue = openQueue(new DatabaseSync(':memory:'));
    for (const change of ['created', 'repeated', 'updated', 'deleted'] as const) queue.add(change, 'x', at(0));
    queue.dropStale(at(33 * 24));
    expect(queue.length).toBe(4);
    queue.dropStale(at(35 * 24));
    expect(queue.length).toBe(2);
  });
});

describe('a question', () => {
  const ask = (store: Store, given: object = {}, now = 0) => [...answerQuestion(store, JSON.stringify({
    requestId: 'r', licenseID: '1', group: '', resource: '', deadline: 10, ...given,
  }), () => now)].map((text) => JSON.parse(text) as { seq: number; last: boolean; items?: unknown[] });

  it('is answered with what was last said', () => {
    using store = open();
    store.say(statement('x', 'a'), at(0));
    store.say(statement('x', 'b'), at(1));
    store.repeat(key, at(2), at(3), 10);
    const value = { resourceID: resource, licenseID: '1', version: 2, timestamp: at(1).getTime() / 1_000 };
    const item = { key: `${key}/x`, lastSeen: at(3).getTime() / 1_000, values: [value] };
    const whole = [{ requestId: 'r', seq: 1, last: true, items: [item] }];
    const none = [{ requestId: 'r', seq: 1, last: true, items: [] }];
    expect([ask(store), ask(store, { group: 'apps', resource: 'deployments' })]).toEqual([whole, whole]);
    expect([ask(store, { group: 'batch' }), ask(store, { resource: 'pods' })]).toEqual([none, none]);
  });

  it('for a licence that is not its own is not_found; an earlier one has nothing left', () => {
    using store = open();
    expect(ask(store)).toMatchObject([{ seq: 1, last: true, items: [] }]);
    store.say(statement('x', 'a'), at(0));
    store.useLicence('2');
    expect(ask(store)).toMatchObject([{ items: [] }]);
    expect(ask(store, { licenseID: '2' })).toMatchObject([{ items: [{ key: `${key}/x` }] }]);
    expect(ask(store, { licenseID: '3' })).toMatchObject([{ error: { code: 'not_found' } }]);
  });

  it('with a long answer is answered in chunks that a message holds, until its deadline', () => {
    using store = open();
    store.transact(() => {
      for (let count = 0; count < 5_000; count += 1) store.say(statement(`uid-${count}`, 'a'), at(0));
    });
    const chunks = ask(store);
    expect(chunks.length).toBeGreaterThan(1);
    expect(chunks.map(({ seq }) => seq)).toEqual(chunks.map((_, place) => place + 1));
    expect(chunks.map(({ last }) => last)).toEqual(chunks.map((_, place) => place === chunks.length - 1));
    expect(chunks.flatMap(({ items }) => items)).toHaveLength(5_000);
    for (const chunk of chunks) expect(JSON.stringify(chunk).length).toBeLessThan(1024 * 1024);
    expect(ask(store, {}, 10)).toEqual([]);
  });

  it.each([
    '', 'null', '[]', '{"requestId":1}', '{"requestId":"r","licenseID":"1"}',
  ])('is not answered if it is invalid: %j', (text) => {
    using store = open();
    expect([...answerQuestion(store, text)]).toEqual([]);
  });
});
