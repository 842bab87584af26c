import { pageOf } from '@platform/lists';
import type { AdminServiceService } from '@platform/proto/orgs/v1/admin';
import type { Handler } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { toUser } from './convert.ts';
import { listUsers, members } from './reports.ts';

const mostUsers = 1_000;

/** The users who own an account, for the other services. */
export function listOwners({ config, database }: Parts): Handler<typeof AdminServiceService.listOwners> {
  return async ({ accountId, viewerId, viewerIsAdmin, viewerIsOwner, after }, { deadline }) => {
    const page = pageOf({ after }, { largestUnpaged: mostUsers });
    const { items, next } = await listUsers(database, members.owning(accountId), accountId, page, deadline);
    const viewer = { caller: { id: viewerId, isAdmin: viewerIsAdmin }, ownsList: viewerIsOwner };
    return { users: items.map((row) => toUser(row, viewer, config)), next };
  };
}
