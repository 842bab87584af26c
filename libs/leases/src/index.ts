/**
 * Leases (docs/rules/leases.md): a process may keep answers in memory while it has a valid lease of the service that
 * owns the rows. When a call that changed these rows has succeeded, no process uses the old answers any more. The
 * service is the authority; a process that keeps answers is a holder, and its row at the authority is its session.
 */
export { openLine } from './line.ts';
export { type LeaseSessions, openHolder, type OpenHolder } from './open-holder.ts';
export { deleteSessions, insertSession, noteEverything, renewSession } from './store.ts';
export { startTeller } from './teller.ts';
