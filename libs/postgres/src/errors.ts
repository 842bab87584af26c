import { Conflict, Unavailable } from '@platform/service';

/**
 * PostgreSQL cannot be used now: not reachable, starting, stopping, full, too slow, or the connection was lost.
 * libs/rpc answers UNAVAILABLE (503).
 */
export class PostgresUnavailable extends Unavailable {
  override readonly name = 'PostgresUnavailable';
  /** `none`: nothing was written. `unknown`: the connection was lost while a write or a COMMIT was under way. */
  override readonly outcome: 'none' | 'unknown';

  constructor(outcome: 'none' | 'unknown', options?: ErrorOptions) {
    super('PostgreSQL is unavailable', options);
    this.outcome = outcome;
  }
}

/**
 * The transaction lost against others at the same time (serialization failure or deadlock, several times over) or
 * waited too long for a lock. Nothing was written. libs/rpc answers ABORTED, reason CONFLICT (409).
 */
export class TransactionConflict extends Conflict {
  override readonly name = 'TransactionConflict';
  /** SQLSTATE: 40001, 40P01 or 55P03. */
  readonly code: string;

  constructor(code: string, options?: ErrorOptions) {
    super(`the transaction conflicts with others (SQLSTATE ${code})`, options);
    this.code = code;
  }
}

/** A constraint refused a write. Names the constraint, so that a store can say which rule was broken. */
export class ConstraintViolation extends Error {
  override readonly name: string = 'ConstraintViolation';
  readonly constraint: string;
  readonly table: string;

  constructor(constraint: string, table: string, options?: ErrorOptions) {
    super(`constraint ${constraint} of ${table} is violated`, options);
    this.constraint = constraint;
    this.table = table;
  }
}

/** SQLSTATE 23505 or 23P01 (exclusion): there is such a row. */
export class UniqueViolation extends ConstraintViolation {
  override readonly name = 'UniqueViolation';
}

/** SQLSTATE 23503: a row refers to one that is not there, or one referred to would go. */
export class ForeignKeyViolation extends ConstraintViolation {
  override readonly name = 'ForeignKeyViolation';
}

/** SQLSTATE 23514 (check) or 23502 (not null; the constraint is then named after the column). */
export class CheckViolation extends ConstraintViolation {
  override readonly name = 'CheckViolation';
}

/** `one` or `maybeOne` found another number of rows than it stands for: a mistake of the program. */
export class UnexpectedRows extends Error {
  override readonly name = 'UnexpectedRows';
  readonly rows: number;

  constructor(rows: number) {
    super(`expected one row, found ${rows}`);
    this.rows = rows;
  }
}
