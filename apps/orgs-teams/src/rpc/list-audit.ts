import type { ListAuditRequest, ListAuditResponse } from '@platform/proto/orgs/v1/admin';
import type { Handler } from '@platform/rpc';
import { toAuditEntry } from '../convert.ts';
import { refuseViolations } from '../faults.ts';
import type { Parts } from '../parts.ts';
import { readAudit } from '../reports/audit.ts';

const usualPage = 100;
const largestPage = 1_000;

/** `platform admin audit`, newest first. */
export function listAudit({ database }: Parts): Handler<ListAuditRequest, ListAuditResponse> {
  return async ({ account, action, pageSize, pageToken }, { deadline }) => {
    if (pageToken !== '' && !/^[1-9][0-9]{0,15}$/.test(pageToken)) {
      refuseViolations([{ path: 'pageToken', message: 'must be the pageToken of an earlier answer' }]);
    }
    const limit = pageSize <= 0 ? usualPage : Math.min(pageSize, largestPage);
    const before = pageToken === '' ? Number.MAX_SAFE_INTEGER : Number(pageToken);
    const rows = await readAudit(database, { account, action, before, limit: limit + 1 }, deadline);
    const entries = rows.slice(0, limit);
    const more = rows.length > limit;
    return { entries: entries.map(toAuditEntry), pageToken: more ? String(entries.at(-1)!.id) : '' };
  };
}
