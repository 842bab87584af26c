/** Access to PostgreSQL: statements, transactions, migrations, provisioning. */
export type { Database, Queryable, QueryOptions, Transaction } from './database.ts';
export { migrate } from './migrate.ts';
export { openClientPool } from './client-pool.ts';
export { connect } from './connect.ts';
export { CheckViolation, UniqueViolation } from './errors.ts';
export { readMigrationFiles } from './migration-files.ts';
export { openDatabase, postgresPicks, untilAvailable } from './open-database.ts';
export { createDatabaseFromTemplate, dropDatabase, placeOf, provision, provisionDatabase } from './provision.ts';
export { urlWith } from './server-config.ts';
export { type Fragment, sql, type Statement } from './sql.ts';
