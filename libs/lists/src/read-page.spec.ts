import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Fault } from '@platform/faults';
import { connect, type Database, sql } from '@platform/postgres';
import { deadlineIn } from '@platform/service';
import { testDatabase } from '@platform/testing';
import { byId, type ListOrder, orderBy, type OrderKey } from './order.ts';
import { type Listed, readPage } from './read-page.ts';

interface Note {
  readonly id: number;
}

const id: OrderKey = { column: 'id', kind: 'integer' };
const orders: Readonly<Record<string, readonly [OrderKey, ...OrderKey[]]>> = {
  'ascending id': [id],
  'descending id': [{ ...id, descending: true }],
  'latest update, then id': [{ column: 'updatedAt', kind: 'time', descending: true }, id],
  'oldest update, then latest id': [{ column: 'updatedAt', kind: 'time' }, { ...id, descending: true }],
  'uuid, descending': [{ column: 'uid', kind: 'uuid', descending: true }],
  'title by code point, weight, then id': [
    { column: 'title', kind: 'text' }, { column: 'weight', kind: 'integer', descending: true }, id,
  ],
};
const rows = sql`select id, title collate "C" as title, weight, updated_at as "updatedAt", md5(id::text)::uuid as uid
  from note where id <= 1000`;
const count = sql`select count(*) from note where id <= 1000`;

let database: Database;

beforeAll(async () => {
  const { url, schema } = await testDatabase('lists-spec');
  database = connect({ url, schema, applicationName: 'spec' });
  await database.execute(sql`
    create table note (id bigint primary key, title text not null, weight bigint not null, updated_at timestamptz not null)`);
  // Rows with many equal titles, weights and times, with times one microsecond apart, and with extreme values.
  await database.execute(sql`
    insert into note
    select one, (array['', 'a', 'Å', 'ä"\\', '👩', ' '])[one % 6 + 1], (array[-9007199254740991, 0, 9007199254740991])[one % 3 + 1],
           timestamptz '2026-01-01 00:00:00.000001+02' + (one % 9) * interval '1 microsecond'
      from generate_series(1, 40) one`);
  await database.execute(sql`
    insert into note values (41, 'a', 5, '9999-12-31 23:59:59+00'), (42, 'a', 5, '0001-01-01 00:00:00+00')`);
});
afterAll(async () => database[Symbol.asyncDispose]());

function read(order: ListOrder, page: { limit: number; offset?: number; after?: string }): Promise<Listed<Note>> {
  const list = { rows, order, count };
  const whole = { offset: 0, after: undefined, ...page };
  return readPage<Note>(database, list, whole, deadlineIn(5_000)).then((listed) => listed!);
}

const idsOf = ({ items }: Listed<Note>) => items.map((note) => note.id);

describe('a list', () => {
  it.each(Object.entries(orders))('by %s joins from its parts, of any size', async (_name, keys) => {
    const order = orderBy(...keys);
    const by = sql.join(keys.map(({ column, descending }) => {
      const name = sql.identifier(column);
      return descending ? sql`${name} desc` : name;
    }));
    const expected = await database.query(sql<Note>`select * from (${rows}) note order by ${by}`);
    for (const limit of [1, 2, 7, 41, 42, 43]) {
      const joined: number[] = [];
      for (let after: string | undefined; ;) {
        const part = await read(order, { limit, ...(after === undefined ? {} : { after }) });
        expect(part.total).toBe(42);
        joined.push(...idsOf(part));
        after = part.next;
        if (after === undefined) break;
        expect(part.items).toHaveLength(limit);
      }
      expect(joined).toEqual(expected.map((note) => note.id));
    }
  });

  it('is cut at places, too', async () => {
    expect(idsOf(await read(byId, { limit: 5, offset: 10 }))).toEqual([11, 12, 13, 14, 15]);
    expect(await read(byId, { limit: 5, offset: 100 })).toEqual({ items: [], total: 42, next: undefined });
  });

  it('continues after a row that was deleted meanwhile, and misses none because of one deleted before', async () => {
    const order = orderBy({ column: 'weight', kind: 'integer' }, id);
    await database.execute(sql`insert into note select one, 'x', -1000, now() from generate_series(901, 905) one`);
    const position = (await read(order, { limit: 50 })).items.findIndex((note) => note.id === 902);
    const { next } = await read(order, { limit: position + 1 });
    await database.execute(sql`delete from note where id in (901, 902)`);
    expect(idsOf(await read(order, { limit: 3, after: next! }))).toEqual([903, 904, 905]);
    await database.execute(sql`delete from note where id > 900`);
  });

  it('is undefined when there is nothing that could have it', async () => {
    const list = { rows, order: byId, count: sql`select 0 where false` };
    expect(await readPage(database, list, { limit: 1, offset: 0, after: undefined }, deadlineIn(5_000))).toBeUndefined();
  });

  it('completes only the rows of the part', async () => {
    const list = {
      rows: sql`select id from note where id <= 3`,
      order: byId,
      count: sql`select 3`,
      // Fails for every row except the first two.
      details: sql`select item.id, 1 / (3 - item.id) as whole from note where note.id = item.id`,
    };
    const page = { limit: 1, offset: 0, after: undefined };
    const listed = await readPage<Note & { whole: number }>(database, list, page, deadlineIn(5_000));
    expect(listed!.items).toEqual([expect.objectContaining({ id: 1, whole: 0 })]);
  });

  const token = (text: string) => Buffer.from(text).toString('base64url');
  it.each([
    '', '41', '%', 'WzQxXQ', token('["a"]'), token('["1","2"]'), token('[]'), token('{"0":"1"}'), token('["1.0"]'), token('["01"]'),
    token('["9223372036854775808"]'), token('[null]'), token('["1; drop table note"]'), token('"1"'), token('['),
    token(`["${'1'.repeat(5_000)}"]`), 'é',
  ])('refuses a place it did not give (%#)', async (after) => {
    const refused = read(byId, { limit: 1, after }).catch((error: unknown) => error);
    expect(await refused).toBeInstanceOf(Fault);
    expect(await refused).toMatchObject({ reason: 'INVALID_PARAMETER', violations: [{ path: 'after' }] });
  });

  it.each([
    [orderBy({ column: 'title', kind: 'text' }), '["a\\u0000"]'],
    [orderBy({ column: 'title', kind: 'text' }), '["\\ud800"]'],
    [orderBy({ column: 'uid', kind: 'uuid' }), '["0"]'],
    [orderBy({ column: 'updatedAt', kind: 'time' }), '["9223372036854775807"]'],
    [orderBy({ column: 'updatedAt', kind: 'time' }), '["2026-01-01"]'],
    [orderBy({ column: 'updatedAt', kind: 'time' }, id), '["1"]'],
  ])('refuses what PostgreSQL could not read (%#)', async (order, keys) => {
    await expect(read(order, { limit: 1, after: token(keys) })).rejects.toMatchObject({ reason: 'INVALID_PARAMETER' });
  });
});
