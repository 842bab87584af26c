import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { readRevised } from './client.ts';
import { type Allows, useAllowed } from './allowed.ts';
import { useMyOrganizations } from './session.ts';

/** Returns the name of the organization in the address of the page. Undefined if the address has none. */
export function useOrg(): string | undefined {
  return (useParams({ strict: false }) as { org?: string }).org;
}

export function useActing(): {
  org: string;
  id: number | undefined;
  may: (relation: string) => boolean;
  allows: Allows;
  /**
   * Type of the organization. 0: ordinary, 1: with a multi-cluster manager, 2: client, 6: administrative. Undefined
   * while the type is unknown.
   */
  type: number | undefined;
  /** Why the organization or the caller's rights could not be read; null otherwise. */
  error: Error | null;
} {
  const org = useOrg()!;
  const { data, error } = useQuery({
    queryKey: ['organization', org],
    enabled: org !== undefined,
    queryFn: () => readRevised('getOrganization', { parameters: { orgname: org } }),
  });
  const id = data?.id;
  const allowed = useAllowed(
    id === undefined ? undefined : org,
    id === undefined ? [] : [{ objectType: 'organization', objectID: id }],
  );
  const { allows } = allowed;
  const may = (relation: string) => id !== undefined && allows(relation, 'organization', id);
  return { org, id, may, allows, type: data?.orgType, error: error ?? allowed.error };
}

/**
 * Returns the name of the administrative organization as `slug` if the caller is a member. As parameter `org` of
 * `listContracts`, this name selects the contracts of all accounts (open-points 5.1).
 */
export function useAdministration(): { slug: string | undefined; isKnown: boolean } {
  const { data } = useMyOrganizations();
  return { slug: data?.find(({ orgType }) => orgType === administrative)?.username, isKnown: data !== undefined };
}

const administrative = 6;

/**
 * Returns the name of one of the caller's organizations. Some operations for site admins require `org`, but accept any
 * existing organization.
 */
export function useAnyOrg(): string | undefined {
  return useMyOrganizations().data?.[0]?.username;
}
