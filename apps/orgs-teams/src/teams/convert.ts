import type { Team } from '@platform/proto/orgs/v1/team';
import { toOrganization } from '../accounts/convert.ts';
import type { PlacedTeamRow, TeamRow } from './reports.ts';

/** A team as lists show it (spec §2.2, open-points 3.5). */
export function toTeam(row: TeamRow): Team {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    organization: undefined,
    permission: row.permission,
    units: undefined,
    type: row.type,
    roleIds: [...row.roleIds],
  };
}

/** A team with its organization, as in answers about a single team. */
export function toPlacedTeam(row: PlacedTeamRow, baseUrl: string): Team {
  return { ...toTeam(row), organization: toOrganization(row.organization, baseUrl) };
}
