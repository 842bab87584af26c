import type { Team } from '@platform/proto/orgs/v1/team';
import { toOrganization } from '../accounts/convert.ts';
import type { PlacedTeamRow, TeamRow } from './reports.ts';

/** A team as lists show it (spec §2.2, open-points 3.5). The ETag of a team depends on the order of these fields. */
export function toTeam({ id, name, description, permission, type, roleIds }: TeamRow): Team {
  return { id, name, description, organization: undefined, permission, units: undefined, type, roleIds: [...roleIds] };
}

/** A team with its organization, as in answers about a single team. */
export function toPlacedTeam(row: PlacedTeamRow, baseUrl: string): Team {
  return { ...toTeam(row), organization: toOrganization(row.organization, baseUrl) };
}
