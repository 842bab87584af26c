import { Conflict, Unavailable } from '@platform/service';

/** PostgreSQL cannot answer now. For example, it is unreachable, starting or full, or the connection was lost. */
export class PostgresUnavailable extends Unavailable {
  override readonly name = 'PostgresUnavailable';
  /** `none`: nothing was written. `unknown`: a statement outside a transaction, or a COMMIT, may have been executed. */
  override readonly outcome: 'none' | 'unknown';

  constructor(outcome: 'none' | 'unknown', options?: ErrorOptions) {
    super('PostgreSQL is unavailable', options);
    this.outcome = outcome;
  }
}

/** A serialization failure, a deadlock, or a lock that was not available in time. Nothing was written. */
export class TransactionConflict extends Conflict {
  override readonly name = 'TransactionConflict';
  /** SQLSTATE 40001, 40P01 or 55P03. */
  readonly code: string;

  constructor(code: string, options?: ErrorOptions) {
    super(`the transaction conflicts with others (SQLSTATE ${code})`, options);
    this.code = code;
  }
}

/** A constraint refused a write. The constraint's name tells the caller which rule was broken. */
export class ConstraintViolation extends Error {
  override readonly name: string = 'ConstraintViolation';
  readonly constraint: string;
  readonly table: string;

  constructor(constraint: string, table: string, options?: ErrorOptions) {
    super(`a constraint of the table ${table} is violated: ${constraint}`, options);
    this.constraint = constraint;
    this.table = table;
  }
}

/** SQLSTATE 23505 or 23P01 (exclusion): a conflicting row exists. */
export class UniqueViolation extends ConstraintViolation {
  override readonly name = 'UniqueViolation';
}

/** SQLSTATE 23503: a referenced row does not exist, or a row that is still referenced would be removed. */
export class ForeignKeyViolation extends ConstraintViolation {
  override readonly name = 'ForeignKeyViolation';
}

/** SQLSTATE 23514 (check) or 23502 (not null). For 23502, `constraint` is the name of the column. */
export class CheckViolation extends ConstraintViolation {
  override readonly name = 'CheckViolation';
}

/** A statement of `one` or `maybeOne` returned an unexpected number of rows. This is a bug in the caller. */
export class UnexpectedRows extends Error {
  override readonly name = 'UnexpectedRows';
  readonly rows: number;

  constructor(rows: number) {
    super(`unexpected number of rows: ${rows}`);
    this.rows = rows;
  }
}
