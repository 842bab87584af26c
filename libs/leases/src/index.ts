/** Leases: a kept answer is not used any more once a call that changed its rows has returned (docs/rules/leases.md). */
export { type LeaseLine, openLine } from './line.ts';
export { type LeaseSessions, openHolder, type OpenHolder, type OpenHolderOptions } from './open-holder.ts';
export { deleteSessions, insertSession, noteEverything, renewSession } from './store.ts';
export { startTeller, type Teller, type TellerOptions } from './teller.ts';
