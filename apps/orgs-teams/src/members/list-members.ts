import { pageOf } from '@platform/lists';
import type { MemberServiceService } from '@platform/proto/orgs/v1/member';
import type { Handler } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { toUser, viewerOfMembers } from '../users/convert.ts';
import { listUsers, members } from '../users/reports.ts';

/** GET /orgs/{orgname}/members (spec §4.13): strangers see only who shows it. */
export function listMembers({ config, database }: Parts): Handler<typeof MemberServiceService.listMembers> {
  return async (request, context) => {
    const { caller, deadline } = context;
    const { id, standing } = context.account;
    const belongs = standing.principals.length > 0 || caller?.isAdmin === true;
    const chosen = belongs ? members.all(id) : members.shown(id);
    const { items, total, next } = await listUsers(database, chosen, id, pageOf(request, config), deadline);
    const viewer = viewerOfMembers(context);
    return { members: items.map((row) => toUser(row, viewer, config)), total, next };
  };
}
