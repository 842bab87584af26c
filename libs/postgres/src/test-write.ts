import type { Deadline } from '@platform/service';
import type { Queryable } from './database.ts';
import { sql } from './sql.ts';
import { sqlState } from './translate-error.ts';

/**
 * Tests for readiness whether PostgreSQL takes writes: commits a row in a new file of a table (`sql/test-write.sql`),
 * unless a replica of the service has done so in the last ten seconds. Why it commits, and begins a file:
 *
 * | what keeps writes from succeeding | shows by |
 * |---|---|
 * | a read-only server (a standby, `default_transaction_read_only`) | any write, also one that is rolled back |
 * | a full disk of the rows | a write that needs a new page, also one that is rolled back |
 * | a full disk of the write-ahead log | nothing: PostgreSQL ends, so each connection fails |
 * | a commit that waits for a synchronous standby, or for a disk that hangs | a commit alone |
 *
 * @throws Error that says what PostgreSQL says; DeadlineExceeded
 */
export async function testWrite(database: Queryable, deadline: Deadline): Promise<void> {
  try {
    await database.execute(sql`select test_write()`, { deadline });
  } catch (error) {
    const { cause } = error as Error;
    throw sqlState(cause) === undefined ? error : new Error((cause as Error).message, { cause: error });
  }
}
