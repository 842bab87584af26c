import { type Listed, type Page, pageOf, readPage } from '@platform/lists';
import { type Queryable, sql } from '@platform/postgres';
import type { AuditRecord, AuditServiceService } from '@platform/proto/orgs/v1/audit';
import type { Handler } from '@platform/rpc';
import type { Deadline } from '@platform/service';
import type { Parts } from '../parts.ts';
import { type AuditFilter, chosenBy, newestFirst } from './reports.ts';

interface RecordRow {
  readonly id: number;
  readonly at: Date;
  readonly actorId: number | null;
  readonly actor: string;
  readonly via: AuditRecord['via'];
  readonly organization: string | null;
  readonly action: string;
  readonly object: string;
  readonly objectName: string | null;
  readonly details: Record<string, unknown>;
  readonly address: string;
}

/** GET /admin/audit (open-points 18.5). */
export function listSiteAudit({ config, database }: Parts): Handler<typeof AuditServiceService.listSiteAudit> {
  return async (request, { deadline }) =>
    toAnswer(await readRecords(database, request, pageOf(request, config), deadline));
}

/** GET /orgs/{orgname}/audit (open-points 18.5). */
export function listOrganizationAudit(
  { config, database }: Parts,
): Handler<typeof AuditServiceService.listOrganizationAudit> {
  return async (request, { account, deadline }) =>
    toAnswer(await readRecords(
      database, { ...request, organizationId: account.id }, pageOf(request, config), deadline,
    ));
}

async function readRecords(
  queryable: Queryable, filter: AuditFilter, page: Page, deadline: Deadline,
): Promise<Listed<RecordRow>> {
  const chosen = sql`from audit where ${chosenBy(filter)}`;
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
  const listed = await readPage<RecordRow>(queryable, {
    rows: sql`
      select id, at, actor_id as "actorId", actor, via, organization_id, action, object, details, address ${chosen}`,
    order: newestFirst,
    count: sql`select count(*) ${chosen}`,
    details,
  }, page, deadline);
  return listed!;
}

function toAnswer({ items, total, next }: Listed<RecordRow>) {
  return { records: items.map(toRecord), total, next };
}

function toRecord(row: RecordRow): AuditRecord {
  const [type = '', key = ''] = row.object.split(':');
  // The site, and the keys that seal secrets, have a name in place of an id. All other objects have an id.
  const id = /^\d+$/.test(key) ? Number(key) : undefined;
  return {
    id: row.id,
    createdAt: row.at,
    actor: { id: row.actorId ?? 0, login: row.actor },
    via: row.via,
    organization: row.organization ?? '',
    action: row.action,
    object: { type, id: id ?? 0, name: row.objectName ?? (id === undefined ? key : '') },
    details: row.details,
    address: row.address,
  };
}
