import type { ListTeamsRequest, ListTeamsResponse } from '@platform/proto/orgs/v1/team';
import type { Handler } from '@platform/rpc';
import { toTeam } from '../convert.ts';
import { pageOf } from '../domain/page.ts';
import type { Parts } from '../parts.ts';
import { readTeams } from '../reports/teams.ts';

/** GET /orgs/{orgname}/teams (spec §4.14, open-points 3.5). */
export function listTeams({ database }: Parts): Handler<ListTeamsRequest, ListTeamsResponse> {
  return async (request, { organization, deadline }) => {
    const { items, total, next } = await readTeams(database, organization!.id, pageOf(request), deadline);
    return { teams: items.map(toTeam), total, next };
  };
}
