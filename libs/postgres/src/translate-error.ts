import pg from 'pg';
import {
  CheckViolation, ForeignKeyViolation, PostgresUnavailable, TransactionConflict, UniqueViolation,
} from './errors.ts';

/** SQLSTATEs after which a repetition of the transaction may succeed. */
const repeatable = new Set(['40001', '40P01']);
const lockNotAvailable = '55P03';
export const queryCanceled = '57014';

/** SQLSTATE classes of errors that may be temporary: connection, resources, operator intervention, system. */
const unavailableClasses = new Set(['08', '53', '57', '58']);
/** Other SQLSTATEs of errors that may be temporary. */
const unavailableCodes = new Set([
  '25P03', // the transaction was idle for too long, and the connection is closed
  '25006', // a write in a read-only transaction: the server may have become a standby
  '3D000', // the database does not exist (yet)
]);

/** PostgreSQL's routine that refuses a prepared statement after its result columns have changed (by a migration). */
const stalePlanRoutine = 'RevalidateCachedQuery';
const invalidStatementName = '26000';

export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

export function isRepeatable(error: unknown): boolean {
  return error instanceof TransactionConflict && repeatable.has(error.code);
}

/** Whether the error means that a prepared statement of the connection is invalid. The statement was then not run. */
export function isStalePlan(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  return error.code === invalidStatementName || error.routine === stalePlanRoutine;
}

/** Converts some errors of PostgreSQL to errors of this library. Other errors stay unchanged. */
export function translateError(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError) || error.code === undefined) return error;
  const { code, table = '', constraint = '', column = '' } = error;
  const options = { cause: error };
  if (repeatable.has(code) || code === lockNotAvailable) return new TransactionConflict(code, options);
  switch (code) {
    case '23505':
    case '23P01':
      return new UniqueViolation(constraint, table, options);
    case '23503':
      return new ForeignKeyViolation(constraint, table, options);
    case '23514':
      return new CheckViolation(constraint, table, options);
    case '23502':
      return new CheckViolation(column, table, options);
    default: {
      const isUnavailable = unavailableClasses.has(code.slice(0, 2)) || unavailableCodes.has(code);
      // After an error of class 08, the statement may have been executed. For example, PgBouncer reports a lost
      // connection to the server as 08P01.
      return isUnavailable ? new PostgresUnavailable(code.startsWith('08') ? 'unknown' : 'none', options) : error;
    }
  }
}
