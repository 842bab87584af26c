import type { Deadline } from '@platform/service';
import type { Queryable } from './database.ts';
import { sql } from './sql.ts';

/** One step of a schema that was made. */
export interface AppliedMigration {
  readonly name: string;
  /** RFC3339 in UTC, whole seconds. */
  readonly appliedAt: string;
}

/** Steps of the service's own schema that were made, in order. */
export async function appliedMigrations(queryable: Queryable, deadline: Deadline): Promise<AppliedMigration[]> {
  const rows = await queryable.query(
    sql<{ name: string; appliedAt: Date }>`
      select name, migration_time as "appliedAt" from schema_migration order by name`,
    { deadline },
  );
  return rows.map(({ name, appliedAt }) => ({ name, appliedAt: appliedAt.toISOString().replace(/\.\d{3}Z$/, 'Z') }));
}
