import type { ClusterSetServiceService } from '@platform/proto/clusters/v1/cluster_set';
import type { User } from '@platform/proto/orgs/v1/user';
import type { CallerContext, Handler } from '@platform/rpc';
import { readRolesOnSet } from '../client-organizations/store.ts';
import type { Hub } from '../hubs/hubs.ts';
import type { Parts } from '../parts.ts';
import { readSet } from './sets.ts';

/**
 * GET /clusters/{owner}/{cluster}/clustersets/{clusterset}/auth-info (spec §4.12, open-points 12.2). Returns users by
 * role: the owners of the account that imported the hub, and the owners of client organizations with a role on the set.
 * If `{owner}` is a client organization, and another account imported the hub, returns only the owners of this client
 * organization.
 */
export function getAuthInfo(parts: Parts): Handler<typeof ClusterSetServiceService.getAuthInfo> {
  return async ({ clusterset }, context) => {
    const hub = await parts.hubs.of(context);
    await readSet(hub, clusterset, context.deadline);
    const users = new Map<string, Map<number, User>>();
    for (const { accountId, role } of await readRoles(parts, hub, clusterset, context)) {
      const ofRole = users.get(role) ?? new Map<number, User>();
      for (const user of await readOwners(parts, accountId, context)) ofRole.set(user.id, user);
      if (ofRole.size > 0) users.set(role, ofRole);
    }
    return {
      users: Object.fromEntries([...users].map(([role, found]) =>
        [role, { users: [...found.values()].sort((one, other) => one.id - other.id) }])),
    };
  };
}

/** The roles that accounts have on a set. For the hub of a client organization, only the roles of that organization. */
async function readRoles(
  { database }: Parts, { ownerId, sourceOwnerId, uid }: Hub, set: string, { deadline }: CallerContext,
): Promise<{ accountId: number; role: string }[]> {
  const given = await readRolesOnSet(database, { ownerId: sourceOwnerId, uid }, set, deadline);
  const roles = given.map(({ organizationId: accountId, roleRefName: role }) => ({ accountId, role }));
  if (ownerId !== sourceOwnerId) return roles.filter(({ accountId }) => accountId === ownerId);
  return [{ accountId: ownerId, role: 'cluster-admin' }, ...roles];
}

async function readOwners({ users: lookup }: Parts, accountId: number, context: CallerContext): Promise<User[]> {
  const { caller } = context;
  const asked = { accountId, viewerId: caller.id, viewerIsAdmin: caller.isAdmin };
  const owners: User[] = [];
  for (let after: string | undefined; ;) {
    const { users, next } = await lookup.listOwners({ ...asked, after }, context);
    owners.push(...users);
    if (next === undefined) return owners;
    after = next;
  }
}
