/**
 * Leases (docs/rules/leases.md). The authority is a service that owns rows. A holder is a process that keeps answers
 * about these rows in memory. A holder uses kept answers only while its lease is valid. A session is the row of a
 * holder at the authority. After a call that changed rows has succeeded, no holder uses older answers for new requests.
 */
export { type Authority, openAuthority } from './authority.ts';
export { connectLeaseBus, type LeaseBus } from './line.ts';
export { type LeaseSessions, openHolder, type OpenHolder } from './open-holder.ts';
export { leasePicks, openKnownStandings, openLeaseBus, openRemoteGuard, remoteSessions } from './open-leases.ts';
export { noteEverything } from './store.ts';
