import type { ClusterSetServiceService } from '@platform/proto/clusters/v1/cluster_set';
import type { User } from '@platform/proto/orgs/v1/user';
import type { AccountContext, CallerContext, Handler } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { readSet } from './sets.ts';

/** The role that owners of a hub have on its clusters (open-points 12.2). */
const roleOfOwners = 'cluster-admin';

/** GET /clusters/{owner}/{cluster}/clustersets/{clusterset}/auth-info (spec §4.12). */
export function getAuthInfo(parts: Parts): Handler<typeof ClusterSetServiceService.getAuthInfo> {
  return async ({ clusterset }, context) => {
    const hub = await parts.hubs.of(context);
    const [owners] = await Promise.all([readOwners(parts, context), readSet(hub, clusterset, context.deadline)]);
    return { users: owners.length === 0 ? {} : { [roleOfOwners]: { users: owners } } };
  };
}

async function readOwners({ users: lookup }: Parts, context: AccountContext & CallerContext): Promise<User[]> {
  const { account, caller } = context;
  const asked = {
    accountId: account.id,
    viewerId: caller.id,
    viewerIsAdmin: caller.isAdmin,
    viewerIsOwner: account.kind === 'organization' && account.standing.principals.some(({ isOwners }) => isOwners),
  };
  const owners: User[] = [];
  for (let after: string | undefined; ;) {
    const { users, next } = await lookup.listOwners({ ...asked, after }, context);
    owners.push(...users);
    if (next === undefined) return owners;
    after = next;
  }
}
