import { Conflict as ConflictFailure, Unavailable } from '@platform/service';

/**
 * The transaction lost against others at the same time (serialization failure or deadlock, several times over) or
 * waited too long for a lock. Nothing was written. libs/rpc maps it to ABORTED, reason `CONFLICT` (409).
 */
export class Conflict extends ConflictFailure {
  override readonly name = 'Conflict';
  /** SQLSTATE: 40001, 40P01 or 55P03. */
  readonly code: string;

  constructor(code: string, options?: ErrorOptions) {
    super(`the transaction conflicts with others (SQLSTATE ${code})`, options);
    this.code = code;
  }
}

/**
 * PostgreSQL cannot be used now: not reachable, starting, stopping, full, too slow, or the connection was lost.
 * libs/rpc maps it to UNAVAILABLE (503). Whether a write under way happened is said by `outcome`.
 */
export class PostgresUnavailable extends Unavailable {
  override readonly name = 'PostgresUnavailable';
  /** `none`: nothing was written. `unknown`: the connection was lost while a write or a COMMIT was under way. */
  readonly outcome: 'none' | 'unknown';

  constructor(outcome: 'none' | 'unknown', options?: ErrorOptions) {
    super('PostgreSQL is unavailable', options);
    this.outcome = outcome;
  }
}

/** A constraint refused a write. Names the constraint, so that a store can say which rule was broken. */
export class ConstraintViolation extends Error {
  override readonly name: string = 'ConstraintViolation';
  readonly constraint: string;
  readonly table: string;

  constructor(kind: string, constraint: string, table: string, options?: ErrorOptions) {
    super(`${kind} ${constraint} of ${table} is violated`, options);
    this.constraint = constraint;
    this.table = table;
  }
}

/** SQLSTATE 23505: such a row exists. */
export class UniqueViolation extends ConstraintViolation {
  override readonly name = 'UniqueViolation';
  constructor(constraint: string, table: string, options?: ErrorOptions) {
    super('unique constraint', constraint, table, options);
  }
}

/** SQLSTATE 23503: a row refers to one that is not there, or one referred to would go. */
export class ForeignKeyViolation extends ConstraintViolation {
  override readonly name = 'ForeignKeyViolation';
  constructor(constraint: string, table: string, options?: ErrorOptions) {
    super('foreign key', constraint, table, options);
  }
}

/** SQLSTATE 23514 (check) or 23502 (not null; the constraint is then named after the column). */
export class CheckViolation extends ConstraintViolation {
  override readonly name = 'CheckViolation';
  constructor(constraint: string, table: string, options?: ErrorOptions) {
    super('check', constraint, table, options);
  }
}

/** `one` found no row or several: a mistake of the program, not of the caller. */
export class UnexpectedRows extends Error {
  override readonly name = 'UnexpectedRows';
  readonly rows: number;

  constructor(rows: number) {
    super(`expected one row, found ${rows}`);
    this.rows = rows;
  }
}
