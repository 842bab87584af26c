import type { AdminServiceService, AuditEntry } from '@platform/proto/orgs/v1/admin';
import type { Handler } from '@platform/rpc';
import { Violations } from '@platform/values';
import { readOrganizationId } from '../accounts/targets.ts';
import type { Parts } from '../parts.ts';
import { type AuditRow, newestFirst, readAudit } from './reports.ts';

const usualPage = 100;
const largestPage = 1_000;

/** Lists audit entries for `platform admin audit`, newest first. */
export function listAudit({ database }: Parts): Handler<typeof AdminServiceService.listAudit> {
  return async (request, { deadline }) => {
    const { account, action, actor = '', organization = '', pageSize, pageToken } = request;
    const since = request.since ? new Date(request.since) : undefined;
    const violations = new Violations();
    const isPlace = pageToken === '' || newestFirst.decode(pageToken) !== undefined;
    violations.note('pageToken', isPlace ? undefined : 'must be the pageToken of a previous response');
    violations.note('since', timeProblem(request.since ?? ''));
    violations.refuse();
    const organizationId = organization === '' ? undefined : await readOrganizationId(database, organization, deadline);
    const given = (text: string) => (text === '' ? undefined : text);
    const limit = pageSize <= 0 ? usualPage : Math.min(pageSize, largestPage);
    const page = { limit, offset: 0, after: given(pageToken) };
    const question = {
      account: given(account), action: given(action), actor: given(actor), organizationId, since, id: request.id,
    };
    const { items, next = '' } = await readAudit(database, question, page, deadline);
    return { entries: items.map(toAuditEntry), pageToken: next };
  };
}

const timeForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;

function timeProblem(since: string): string | undefined {
  if (since === '' || (timeForm.test(since) && !Number.isNaN(Date.parse(since)))) return undefined;
  return 'must be a time such as 2026-11-21T08:00:00Z';
}

function toAuditEntry(row: AuditRow): AuditEntry {
  return {
    ...row,
    // RFC3339 in UTC with whole seconds (open-points 1.7).
    at: row.at.toISOString().replace(/\.\d{3}Z$/, 'Z'),
    actorId: row.actorId ?? 0,
    organizationId: row.organizationId ?? 0,
    details: JSON.stringify(row.details),
  };
}
