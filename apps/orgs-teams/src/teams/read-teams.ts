import { pageOf } from '@platform/lists';
import type { TeamServiceService } from '@platform/proto/orgs/v1/team';
import type { Handler } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { toPlacedTeam, toTeam } from './convert.ts';
import { readTeam, readTeams } from './reports.ts';

/** GET /orgs/{orgname}/teams (spec §4.14, open-points 3.5). */
export function listTeams({ config, database }: Parts): Handler<typeof TeamServiceService.listTeams> {
  return async (request, { account, deadline }) => {
    const { items, total, next } = await readTeams(database, account.id, pageOf(request, config), deadline);
    return { teams: items.map(toTeam), total, next };
  };
}

/** GET /teams/{teamid} (spec §4.14). */
export function getTeam({ config, database }: Parts): Handler<typeof TeamServiceService.getTeam> {
  return async ({ teamid }, { account, deadline }) =>
    toPlacedTeam(await readTeam(database, account.id, teamid, deadline), config.baseUrl);
}
