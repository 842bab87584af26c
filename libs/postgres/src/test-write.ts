import type { Deadline } from '@platform/service';
import type { Queryable } from './database.ts';
import { sql } from './sql.ts';
import { sqlState } from './translate-error.ts';

/**
 * Checks for readiness whether PostgreSQL accepts writes. Commits a row in a new file of a table
 * (`sql/test-write.sql`), unless a replica of the service has done so in the last ten seconds. The commit and the new
 * file are needed to detect these problems:
 *
 * | problem | what detects it |
 * |---|---|
 * | a read-only server (a standby, `default_transaction_read_only`) | any write, even if it is rolled back |
 * | a full disk of the rows | a write that needs a new page, even if it is rolled back |
 * | a full disk of the write-ahead log | no write: PostgreSQL ends, so every connection fails |
 * | a commit that waits for a synchronous standby, or for a disk that hangs | only a commit |
 *
 * @throws Error with PostgreSQL's message; DeadlineExceeded
 */
export async function testWrite(database: Queryable, deadline: Deadline): Promise<void> {
  try {
    await database.execute(sql`select test_write()`, { deadline });
  } catch (error) {
    const { cause } = error as Error;
    throw sqlState(cause) === undefined ? error : new Error((cause as Error).message, { cause: error });
  }
}
