import { describe, expect, it } from '@jest/globals';
import { ownSql } from './fixtures/own-sql.ts';

const { mostNames, quoteIdentifier, sql } = await ownSql('spec');

describe('sql', () => {
  it('binds every value', () => {
    const statement = sql`select ${1}::int8, ${"'; drop table account"}, ${null}`;
    expect(statement.text).toBe('select $1::int8, $2, $3');
    expect(statement.values).toEqual([1, "'; drop table account", null]);
  });

  it('takes fragments in, however deep, and numbers the values again', () => {
    const inner = sql`a = ${1} or b = ${2}`;
    const middle = sql`(${inner}) and c = ${3}`;
    const statement = sql`select ${0} from t where ${middle} and d = ${4} and ${sql`true`}`;
    expect(statement.text).toBe('select $1 from t where (a = $2 or b = $3) and c = $4 and d = $5 and true');
    expect(statement.values).toEqual([0, 1, 2, 3, 4]);
  });

  it('joins fragments', () => {
    const rows = [sql`(${1}, ${'a'})`, sql`(${2}, ${'b'})`];
    expect(sql`values ${sql.join(rows)}`).toMatchObject({
      text: 'values ($1, $2), ($3, $4)',
      values: [1, 'a', 2, 'b'],
    });
    expect(sql`where ${sql.join([sql`a`, sql`b = ${1}`], sql` and `)}`.text).toBe('where a and b = $1');
    expect(sql`x${sql.join([])}y`.text).toBe('xy');
  });

  it('quotes names', () => {
    expect(sql`select ${sql.identifier('a"b', 'C')}`.text).toBe('select "a""b"."C"');
    expect(() => quoteIdentifier('a\0b')).toThrow(TypeError);
    expect(() => quoteIdentifier('')).toThrow(TypeError);
  });

  it('refuses undefined', () => {
    expect(() => sql`select ${undefined}`).toThrow(TypeError);
  });

  it('gives one text one name, for all values, and another text another', () => {
    const of = (value: number) => sql`select ${value}::int4`;
    expect(of(1).name).toBe(of(2).name);
    expect(of(1).name).toBe(sql`select ${3}::int4`.name);
    expect(of(1).name).not.toBe(sql`select ${1}::int8`.name);
    expect(sql`select ${sql`${1}`}::int4`.name).toBe(of(1).name);
  });

  it('stops naming when there are too many different texts', () => {
    const names = Array.from({ length: mostNames + 50 }, (_, index) => sql`select ${sql.identifier(`c${index}`)}`.name);
    expect(names.filter((name) => name !== undefined).length).toBeLessThanOrEqual(mostNames);
    expect(names.at(-1)).toBeUndefined();
  });
});
