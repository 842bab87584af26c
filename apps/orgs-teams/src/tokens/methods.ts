import type { TokenServiceService } from '@platform/proto/orgs/v1/token';
import type { UserTokenServiceService } from '@platform/proto/orgs/v1/user_token';
import type { Handlers } from '@platform/rpc';
import { createBusToken } from '../bus/create-bus-token.ts';
import { listBusTokens } from '../bus/list-bus-tokens.ts';
import { revokeBusToken } from '../bus/revoke-bus-token.ts';
import type { Parts } from '../parts.ts';
import { createAccessToken } from './create-access-token.ts';
import { createSyncToken } from './create-sync-token.ts';
import { deleteAccessToken } from './delete-access-token.ts';
import { deleteSyncToken } from './delete-sync-token.ts';
import { getSyncToken } from './get-sync-token.ts';
import { listAccessTokens } from './list-access-tokens.ts';
import { createUserToken, deleteUserToken, listUserTokens } from './user-tokens.ts';

/** Tokens of organizations, and the sync token of the caller. */
export function tokens(parts: Parts): Handlers<typeof TokenServiceService> {
  return {
    getSyncToken: getSyncToken(parts, 'organization'),
    createSyncToken: createSyncToken(parts, 'organization'),
    deleteSyncToken: deleteSyncToken(parts, 'organization'),
    getUserSyncToken: getSyncToken(parts, 'caller'),
    createUserSyncToken: createSyncToken(parts, 'caller'),
    deleteUserSyncToken: deleteSyncToken(parts, 'caller'),
    listAccessTokens: listAccessTokens(parts),
    createAccessToken: createAccessToken(parts),
    deleteAccessToken: deleteAccessToken(parts),
    listBusTokens: listBusTokens(parts),
    createBusToken: createBusToken(parts),
    revokeBusToken: revokeBusToken(parts),
  };
}

/** Tokens that users make for themselves. */
export function userTokens(parts: Parts): Handlers<typeof UserTokenServiceService> {
  return {
    listUserTokens: listUserTokens(parts),
    createUserToken: createUserToken(parts),
    deleteUserToken: deleteUserToken(parts),
  };
}
