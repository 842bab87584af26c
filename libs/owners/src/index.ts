/** Code that services share: tables of owned rows, look-ups of accounts, closing an account before its deletion. */
export { type Accounts, openAccounts, type OwnerAccount } from './find-account.ts';
export { idsFromFields, idsFromMessage } from './read-ids.ts';
export { nameClosedOwners } from './name-closed-owners.ts';
export type { NewRow, OwnedRow, OwnedTable, TextColumn } from './owned-table.ts';
export { platformToken } from './platform-token.ts';
export { moveRow } from './rpc/change-row.ts';
export { ownerService } from './rpc/owner-service.ts';
export { type InsertMissing, putRows } from './rpc/put-rows.ts';
export { type GivenRow } from './read-rows.ts';
export { findOwners } from './store/rows.ts';
