import { pageOf } from '@platform/lists';
import type { TokenServiceService } from '@platform/proto/orgs/v1/token';
import type { Handler } from '@platform/rpc';
import { systemAdminMissing } from '../faults.ts';
import type { Parts } from '../parts.ts';
import { toAccessTokenInfo } from './convert.ts';
import { readAccessTokens } from './reports.ts';

/** GET /orgs/{orgname}/tokens/access-tokens/ (spec §4.13): those of the organization's system admin. */
export function listAccessTokens(
  { config, database }: Parts,
): Handler<typeof TokenServiceService.listAccessTokens> {
  return async (request, { account, deadline }) => {
    const listed = await readAccessTokens(database, account.id, pageOf(request, config), deadline);
    if (listed === undefined) throw systemAdminMissing();
    return { tokens: listed.items.map(toAccessTokenInfo), total: listed.total, next: listed.next };
  };
}
