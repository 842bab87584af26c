/** The door to PostgreSQL: statements, transactions, migrations, provisioning. */
export type {
  ConnectOptions, Database, PoolState, Queryable, QueryOptions, Transaction, TransactOptions,
} from './database.ts';
export { connect } from './database.ts';
export {
  CheckViolation, Conflict, ConstraintViolation, ForeignKeyViolation, PostgresUnavailable, UnexpectedRows,
  UniqueViolation,
} from './errors.ts';
export type { MigrateOptions, MigrateResult } from './migrate.ts';
export { migrate } from './migrate.ts';
export type { ProvisionedService, ProvisionOptions, ServiceAccess } from './provision.ts';
export { createDatabaseFromTemplate, dropDatabase, provision, provisionDatabase } from './provision.ts';
export type { Fragment, Statement } from './sql.ts';
export { sql } from './sql.ts';
