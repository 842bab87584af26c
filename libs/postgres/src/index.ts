/** Access to PostgreSQL: statements, transactions, migrations, provisioning. */
export type {
  ConnectOptions,
  Database,
  PoolState,
  Queryable,
  QueryOptions,
  Transaction,
  TransactOptions,
} from './database.ts';
export { type AppliedMigration, appliedMigrations, migrate } from './migrate.ts';
export { openClientPool } from './client-pool.ts';
export { connect } from './connect.ts';
export {
  CheckViolation,
  ConstraintViolation,
  ForeignKeyViolation,
  PostgresUnavailable,
  TransactionConflict,
  UnexpectedRows,
  UniqueViolation,
} from './errors.ts';
export type { MigrateResult } from './migrate.ts';
export type { MigrateOptions } from './migrate-options.ts';
export type { MigrationReason } from './migration-errors.ts';
export { MigrationFailed, MigrationRefused } from './migration-errors.ts';
export { type MigrationFile, readMigrationFiles } from './migration-files.ts';
export type { Notices } from './notices.ts';
export { openDatabase, postgresPicks, type SchemaOptions, untilAvailable } from './open-database.ts';
export type { ProvisionDatabaseOptions, ProvisionedService, ProvisionOptions, ServiceAccess } from './provision.ts';
export { createDatabaseFromTemplate, dropDatabase, placeOf, provision, provisionDatabase } from './provision.ts';
export { urlWith } from './server-config.ts';
export type { Fragment, Statement } from './sql.ts';
export { sql } from './sql.ts';
