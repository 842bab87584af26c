import { useQuery } from '@tanstack/react-query';
import { platform } from '../api/client.ts';
import { useSession } from '../api/session.ts';

const relations = ['can_view', 'can_edit', 'can_delete'] as const;

interface RoleRights {
  /** Whether the caller holds a relation on the roles; false until the answer is known. */
  readonly may: (relation: (typeof relations)[number]) => boolean;
  /** The error if the rights could not be read; otherwise null. */
  readonly error: Error | null;
}

/**
 * Reads the caller's rights on custom roles. A caller has the same rights on all roles of an organization.
 * `listAllowedPermissions` does not report rights on roles (open-points 2.5), so this hook calls `explainPermission`.
 * Callers may ask for explanations of their own rights (open-points 18.5). Site admins have all rights.
 * @param role id of any role of the organization; undefined if the organization has no roles
 */
export function useRoleRights(org: string, role: number | undefined): RoleRights {
  const user = useSession().data?.user;
  const isAdmin = user?.is_admin === true;
  const { data, error } = useQuery({
    queryKey: ['rights on roles', org, role],
    enabled: user !== undefined && role !== undefined && !isAdmin,
    queryFn: async () => {
      const answers = await Promise.all(relations.map((relation) => platform.call('explainPermission', {
        parameters: { org },
        body: { username: user!.login, objectType: 'role', objectID: role!, relation },
      })));
      return relations.filter((_, index) => answers[index]!.allowed);
    },
  });
  return { may: (relation) => isAdmin || data?.includes(relation) === true, error };
}
