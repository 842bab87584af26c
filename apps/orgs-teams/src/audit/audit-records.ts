import { pageOf, type PageRequest, readPage } from '@platform/lists';
import { sql } from '@platform/postgres';
import type { AuditRecord, AuditServiceService, ListAuditRecordsResponse } from '@platform/proto/orgs/v1/audit';
import type { Handler } from '@platform/rpc';
import type { Deadline } from '@platform/service';
import type { Parts } from '../parts.ts';
import { type AuditFilter, type AuditRow, chosenBy, newestFirst } from './reports.ts';

type RecordRow = Omit<AuditRow, 'organizationId' | 'requestId' | 'details'> & Pick<AuditRecord, 'via' | 'address'> & {
  readonly organization: string | null;
  readonly objectName: string | null;
  readonly details: Record<string, unknown>;
};

/** GET /admin/audit (open-points 18.5). */
export function listSiteAudit(parts: Parts): Handler<typeof AuditServiceService.listSiteAudit> {
  return async (request, { deadline }) => listRecords(parts, request, deadline);
}

/** GET /orgs/{orgname}/audit (open-points 18.5). */
export function listOrganizationAudit(parts: Parts): Handler<typeof AuditServiceService.listOrganizationAudit> {
  return async (request, { account, deadline }) =>
    listRecords(parts, { ...request, organizationId: account.id }, deadline);
}

async function listRecords(
  { config, database }: Parts, request: AuditFilter & PageRequest, deadline: Deadline,
): Promise<ListAuditRecordsResponse> {
  const page = pageOf(request, config);
  const chosen = sql`from audit where ${chosenBy(request)}`;
  // Look up names for the rows of this page only.
  const details = sql`
    select item.*, (select name from account where id = item.organization_id) as "organization",
           coalesce(
             case split_part(item.object, ':', 1)
               when 'user' then (select name from account where id = split_part(item.object, ':', 2)::bigint)
               when 'organization' then (select name from account where id = split_part(item.object, ':', 2)::bigint)
               when 'team' then (select name from team where id = split_part(item.object, ':', 2)::bigint)
               when 'role' then (select name from role where id = split_part(item.object, ':', 2)::bigint)
               when 'token' then (select name from access_token where id = split_part(item.object, ':', 2)::bigint)
             end,
             item.details ->> 'name'
           ) as "objectName"`;
  const { items, total, next } = (await readPage<RecordRow>(database, {
    rows: sql`
      select id, at, actor_id as "actorId", actor, via, organization_id, action, object, details, address ${chosen}`,
    order: newestFirst,
    count: sql`select count(*) ${chosen}`,
    details,
  }, page, deadline))!;
  return { records: items.map(toRecord), total, next };
}

/** Types of objects that have an id. Objects of other types have a name instead, which may consist of digits. */
const typesWithId: ReadonlySet<string> = new Set([
  'bus_account', 'organization', 'role', 'session', 'team', 'token', 'user', 'webhook',
]);

function toRecord(row: RecordRow): AuditRecord {
  const [type = '', key = ''] = row.object.split(':');
  const hasId = typesWithId.has(type);
  return {
    id: row.id, createdAt: row.at, actor: { id: row.actorId ?? 0, login: row.actor }, via: row.via,
    organization: row.organization ?? '', action: row.action,
    object: { type, id: hasId ? Number(key) : 0, name: row.objectName ?? (hasId ? '' : key) },
    details: row.details, address: row.address,
  };
}
