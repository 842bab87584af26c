import type { ObjectIdentifierInput } from '@platform/client';
import { useQuery } from '@tanstack/react-query';
import { platform } from './client.ts';
import { useSession } from './session.ts';

/** Whether the caller holds a relation on an object; false until the answer is known. */
export type Allows = (relation: string, objectType: string, objectID: number) => boolean;

export interface Allowed {
  readonly allows: Allows;
  /** Why the rights could not be read; null otherwise. */
  readonly error: Error | null;
}

/**
 * Reads the caller's rights on objects of an organization in one call. For site admins, makes no call and allows
 * everything.
 */
export function useAllowed(org: string | undefined, objects: readonly ObjectIdentifierInput[]): Allowed {
  const isAdmin = useSession().data?.user.is_admin === true;
  const { data, error } = useQuery({
    queryKey: ['allowed', org, objects],
    enabled: org !== undefined && objects.length > 0 && !isAdmin,
    queryFn: () => platform.call('listAllowedPermissions', { parameters: { org: org! }, body: objects }),
  });
  const allows: Allows = (relation, type, id) => isAdmin || data?.some(
    ({ objectType, objectID, allowedPermissions }) =>
      objectType === type && objectID === id && allowedPermissions.includes(relation),
  ) === true;
  return { allows, error };
}
