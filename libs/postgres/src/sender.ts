import type pg from 'pg';
import type { TakeRow } from './connection.ts';
import type { Queryable, QueryOptions } from './database.ts';
import { UnexpectedRows } from './errors.ts';
import type { Statement } from './sql.ts';

export abstract class Sender implements Queryable {
  /** Sends a statement. If `take` is given, `take` receives each row, and the result has no rows. */
  protected abstract send(statement: Statement, options?: QueryOptions, take?: TakeRow): Promise<pg.QueryResult>;

  async query<Row>(statement: Statement<Row>, options?: QueryOptions): Promise<Row[]> {
    return (await this.send(statement, options)).rows as Row[];
  }

  async each<Row>(statement: Statement<Row>, take: (row: Row) => void, options?: QueryOptions): Promise<void> {
    await this.send(statement, options, take as TakeRow);
  }

  async one<Row>(statement: Statement<Row>, options?: QueryOptions): Promise<Row> {
    const { rows } = await this.send(statement, options);
    if (rows.length !== 1) throw new UnexpectedRows(rows.length);
    return rows[0] as Row;
  }

  async maybeOne<Row>(statement: Statement<Row>, options?: QueryOptions): Promise<Row | undefined> {
    const { rows } = await this.send(statement, options);
    if (rows.length > 1) throw new UnexpectedRows(rows.length);
    return rows[0] as Row | undefined;
  }

  async execute(statement: Statement, options?: QueryOptions): Promise<number> {
    return (await this.send(statement, options)).rowCount ?? 0;
  }
}
