import { pageOf } from '@platform/lists';
import type { MemberServiceService } from '@platform/proto/orgs/v1/member';
import type { Handler } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { toUser, viewerOfMembers } from '../users/convert.ts';
import { listUsers, members } from '../users/reports.ts';

/** GET /orgs/{orgname}/public_members (spec §4.13). */
export function listPublicMembers(
  { config, database }: Parts,
): Handler<typeof MemberServiceService.listPublicMembers> {
  return async (request, context) => {
    const { id } = context.account;
    const page = pageOf(request, config);
    const { items, total, next } = await listUsers(database, members.shown(id), id, page, context.deadline);
    const viewer = viewerOfMembers(context);
    return { members: items.map((row) => toUser(row, viewer, config)), total, next };
  };
}
