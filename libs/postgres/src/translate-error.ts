import pg from 'pg';
import {
  CheckViolation,
  ForeignKeyViolation,
  PostgresUnavailable,
  TransactionConflict,
  UniqueViolation,
} from './errors.ts';

/** SQLSTATEs after which the same transaction, run again, may succeed. */
const repeatable = new Set(['40001', '40P01']);
const lockNotAvailable = '55P03';
export const queryCanceled = '57014';

/** Classes and codes that say the server cannot do it now: connection, resources, operator, system. */
const unavailableClasses = new Set(['08', '53', '57', '58']);
const unavailableCodes = new Set([
  '25P03', // idle in transaction for too long: the connection is closed
  '25006', // read only: this server was made a standby
  '3D000', // the database is (not yet) there
]);

/** PostgreSQL's own errors for what a prepared statement refers to having changed (a migration meanwhile). */
const stalePlanRoutines = new Set(['RevalidateCachedQuery']);
const invalidStatementName = '26000';

export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

export function isRepeatable(error: unknown): boolean {
  return error instanceof TransactionConflict && repeatable.has(error.code);
}

/** The connection's prepared statement is of no use any more; nothing was run, a new connection will do. */
export function isStalePlan(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  return error.code === invalidStatementName || stalePlanRoutines.has(error.routine ?? '');
}

/** What PostgreSQL says, as this library says it. Errors that are mistakes of the program are kept as they are. */
export function translateError(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError) || error.code === undefined) return error;
  const { code } = error;
  const options = { cause: error };
  if (repeatable.has(code) || code === lockNotAvailable) return new TransactionConflict(code, options);
  const table = error.table ?? '';
  switch (code) {
    case '23505':
    case '23P01':
      return new UniqueViolation(error.constraint ?? '', table, options);
    case '23503':
      return new ForeignKeyViolation(error.constraint ?? '', table, options);
    case '23514':
      return new CheckViolation(error.constraint ?? '', table, options);
    case '23502':
      return new CheckViolation(error.column ?? '', table, options);
    default:
      return isUnavailable(code) ? new PostgresUnavailable('none', options) : error;
  }
}

function isUnavailable(code: string): boolean {
  return unavailableClasses.has(code.slice(0, 2)) || unavailableCodes.has(code);
}
