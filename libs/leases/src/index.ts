/**
 * Leases (docs/rules/leases.md). The authority is the service that owns rows. A holder is a process that keeps answers
 * about these rows in memory. It needs a valid lease. Its row at the authority is its session. After a call that
 * changed the rows has succeeded, no holder uses the old answers.
 */
export { openLine } from './line.ts';
export { type LeaseSessions, openHolder, type OpenHolder } from './open-holder.ts';
export { deleteSessions, insertSession, noteEverything, renewSession } from './store.ts';
export { startTeller } from './teller.ts';
