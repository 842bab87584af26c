import type { TeamServiceService } from '@platform/proto/orgs/v1/team';
import { type Handler, notFound } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { toPlacedTeam } from './convert.ts';
import { readTeam } from './reports.ts';

/** GET /teams/{teamid} (spec §4.14). */
export function getTeam({ config, database }: Parts): Handler<typeof TeamServiceService.getTeam> {
  return async ({ teamid }, { account, deadline }) => {
    const row = await readTeam(database, account.id, teamid, deadline);
    if (row === undefined) throw notFound('team not found');
    return toPlacedTeam(row, config.baseUrl);
  };
}
