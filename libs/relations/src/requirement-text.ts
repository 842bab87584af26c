import type { Requirement } from '@platform/proto/orgs/v1/admin';

/** Describes one way to get a permission. */
export function textOfRequirement({ kind, right, namespace, action }: Requirement): string {
  switch (kind) {
    case 'right':
      if (right === 'none') return 'being in any team';
      return right === 'owner' ? 'being in Owners' : `a team with the permission ${right} or a higher one`;
    case 'permission':
      return `a team with a role that has ${namespace} / ${action}`;
    case 'own_team':
      return 'being in this team';
    case 'branding':
      return 'a team with the permission admin in the administrative organization';
    default:
      return 'being the system admin of the organization';
  }
}
