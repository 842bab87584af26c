import type { Database } from '@platform/postgres';
import {
  type AuditNote, createWrite as createWriteOf, type Work as AnyWork, type Write as WriteOf,
} from '@platform/writes';
import type { Settle } from '../projection/projection.ts';
import type { WhyNot } from '../standing/account-rights.ts';
import { noteEvents } from '../events/note-events.ts';
import { confirmedByRows } from './admission.ts';
import { type Lock, locks } from './locks.ts';

export type { WriteContext } from '@platform/writes';

export interface Work extends AnyWork {
  /**
   * Writes the pending tuples of an organization right after the commit (authorization.md W4). Without this call, a
   * background loop writes the tuples later.
   */
  settles(organizationId: number): void;
}

/** Changes rows (@platform/writes). Every audited change that a request makes must use this function. */
export type Write = WriteOf<Lock['table'], Work>;

/** @param settle must not throw, because the change has been committed */
export function createWrite(database: Database, settle: Settle, whyNot: WhyNot): Write {
  const write = createWriteOf({ database, locks, admission: confirmedByRows(whyNot) });
  return (context, wanted, act) => write(context, wanted, async (work) => {
    const notes: AuditNote[] = [];
    const audit = work.audit.bind(work);
    const result = await act(Object.assign(work, {
      audit: (...added: readonly AuditNote[]) => {
        notes.push(...added);
        audit(...added);
      },
      settles: (organizationId: number) =>
        work.afterCommit(`settle ${organizationId}`, (deadline) => settle(organizationId, deadline)),
    }));
    // Derive the events for webhooks from the audit entries, so that no change can omit its events (ADR 0258).
    await noteEvents(work, notes);
    return result;
  });
}
