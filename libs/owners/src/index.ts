/** What is the same in every service that owns objects of accounts: whose they are, and how an account is closed. */
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
