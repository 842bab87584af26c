import { pageOf } from '@platform/lists';
import type { TokenServiceService } from '@platform/proto/orgs/v1/token';
import type { Handler } from '@platform/rpc';
import { toBusAccount } from '../tokens/convert.ts';
import { systemAdminMissing } from '../faults.ts';
import type { Parts } from '../parts.ts';
import { readBusUsers } from './reports.ts';

/** GET /orgs/{orgname}/tokens/bus-tokens/ (spec §4.13): those of the organization's system admin, revoked ones too. */
export function listBusTokens({ config, database }: Parts): Handler<typeof TokenServiceService.listBusTokens> {
  return async (request, { account, deadline }) => {
    const listed = await readBusUsers(database, account.id, pageOf(request, config), deadline);
    if (listed === undefined) throw systemAdminMissing();
    return { accounts: listed.items.map(toBusAccount), total: listed.total, next: listed.next };
  };
}
