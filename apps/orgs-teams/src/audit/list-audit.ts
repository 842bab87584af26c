import type { AdminServiceService } from '@platform/proto/orgs/v1/admin';
import type { Database } from '@platform/postgres';
import { sql } from '@platform/postgres';
import { type Handler, notFound } from '@platform/rpc';
import type { Deadline } from '@platform/service';
import { slugKey, Violations } from '@platform/values';
import { toAuditEntry } from '../convert.ts';
import type { Parts } from '../parts.ts';
import { readAudit } from './reports.ts';

const usualPage = 100;
const largestPage = 1_000;

/** `platform admin audit`, newest first. */
export function listAudit({ database }: Parts): Handler<typeof AdminServiceService.listAudit> {
  return async (request, { deadline }) => {
    const { account, action, actor = '', pageSize, pageToken } = request;
    const since = request.since ? new Date(request.since) : undefined;
    const violations = new Violations();
    violations.note('pageToken', pageTokenProblem(pageToken));
    violations.note('since', timeProblem(request.since ?? ''));
    violations.refuse();
    const organizationId = request.organization
      ? await findOrganization(database, request.organization, deadline)
      : undefined;
    const limit = pageSize <= 0 ? usualPage : Math.min(pageSize, largestPage);
    const before = pageToken === '' ? Number.MAX_SAFE_INTEGER : Number(pageToken);
    const question = { account, action, actor, organizationId, since, before, limit: limit + 1 };
    const rows = await readAudit(database, question, deadline);
    const entries = rows.slice(0, limit);
    const more = rows.length > limit;
    return { entries: entries.map(toAuditEntry), pageToken: more ? String(entries.at(-1)!.id) : '' };
  };
}

function pageTokenProblem(pageToken: string): string | undefined {
  return pageToken === '' || /^[1-9][0-9]{0,15}$/.test(pageToken) ? undefined : 'must be the pageToken of an earlier answer';
}

const timeForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;

function timeProblem(since: string): string | undefined {
  if (since === '' || (timeForm.test(since) && !Number.isNaN(Date.parse(since)))) return undefined;
  return 'must be a time such as 2026-11-21T08:00:00Z';
}

async function findOrganization(database: Database, slug: string, deadline: Deadline): Promise<number> {
  const found = await database.maybeOne(
    sql<{ id: number }>`
      select id from account where lower(name collate "C") = ${slugKey(slug) ?? null} and kind = 'organization'`,
    { deadline },
  );
  if (found === undefined) throw notFound(`there is no organization ${slug}`);
  return found.id;
}
