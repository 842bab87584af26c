import { notFound } from '@platform/faults';
import { orderBy } from '@platform/lists';
import type {
  ActiveLicense, DashboardLicenseServiceService, LicensedPlan, ListActiveLicensesResponse,
} from '@platform/proto/billing/v1/dashboard_license';
import { type Fragment, sql } from '@platform/postgres';
import type { Handler } from '@platform/rpc';
import type { Deadline } from '@platform/service';
import { uuidProblem } from '@platform/values';
import type { JsonObject } from '../payload/json.ts';
import type { Parts } from '../parts.ts';
import { clusterIsKnown, licenceFrom, pageFrom, placeFrom, readKnown, showTimes, type Timed, unix } from './place.ts';
import { windowStart } from './window.ts';

interface PlanRow {
  readonly id: string;
  readonly ownerId: number;
  readonly email: string;
  readonly clusterUid: string;
  readonly plan: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly createdAt: Date;
  readonly registeredAt: Date | null;
}

const byIssue = orderBy({ column: 'createdAt', kind: 'time' }, { column: 'id', kind: 'text' });

function plans(which: Fragment): Fragment {
  return sql`
    select licence.id collate "C" as "id", owner_id as "ownerId", account.email, cluster_uid as "clusterUid", plan,
           not_before as "notBefore", not_after as "notAfter", created_at as "createdAt",
           registered_at as "registeredAt"
      from licence join account on account.id = owner_id and not account.deleted
     where ${which}`;
}

/** GET /dashboard/users/{uid}/clusters/{cid}/licenses (spec §4.6). */
export function listUserLicenses(
  { config, database }: Parts,
): Handler<typeof DashboardLicenseServiceService.listUserLicenses> {
  return async (request, { deadline }) => {
    const page = pageFrom(request, config);
    const place = placeFrom(request);
    const rows = plans(sql`owner_id = ${place.ownerId} and cluster_uid = ${place.clusterUid}::uuid`);
    const list = { rows, order: byIssue };
    const { items, total, next } = await readKnown<PlanRow>(database, clusterIsKnown(place), list, page, deadline);
    return { licenses: items.map(showPlan), total, next };
  };
}

/** GET …/licenses/{lid}. */
export function getUserLicense({ database }: Parts): Handler<typeof DashboardLicenseServiceService.getUserLicense> {
  return async (request, { deadline }) => {
    const { ownerId, clusterUid, licenceId } = licenceFrom(request);
    const row = await database.maybeOne(sql<PlanRow>`
      ${plans(sql`licence.id = ${licenceId} and owner_id = ${ownerId} and cluster_uid = ${clusterUid}::uuid`)}`,
    { deadline });
    if (row === undefined) throw notFound();
    const site = await database.maybeOne(sql<{ resource: JsonObject }>`
      select resource from site_info
       where owner_id = ${ownerId} and cluster_uid = ${clusterUid}::uuid and licence_id = ${licenceId}`, { deadline });
    return { license: showPlan(row), siteinfo: site?.resource ?? {} };
  };
}

function showPlan(row: PlanRow): LicensedPlan {
  return {
    uid: row.ownerId, email: row.email, licenseId: row.id, clusters: [row.clusterUid], planName: row.plan,
    notBefore: unix(row.notBefore), notAfter: unix(row.notAfter),
    registeredAt: unix(row.registeredAt), createdAt: unix(row.createdAt),
    updatedAt: Math.max(unix(row.createdAt), unix(row.registeredAt)),
  };
}

const byIssueAndUser = orderBy(
  { column: 'issuedAt', kind: 'time' }, { column: 'userId', kind: 'integer' }, { column: 'licenseId', kind: 'text' },
);

/** GET …/licenses/active: licences with events in the time window, also licences that this service does not know. */
export function listActiveLicenses(parts: Parts): Handler<typeof DashboardLicenseServiceService.listActiveLicenses> {
  return async ({ limit, ...request }, { deadline }) => {
    const since = windowStart(limit);
    const place = placeFrom(request);
    const { ownerId, clusterUid } = place;
    const which = sql`contact.owner_id = ${ownerId} and contact.cluster_uid = ${clusterUid}::uuid`;
    return listActive(parts, request, { which, since, known: clusterIsKnown(place) }, deadline);
  };
}

/** GET /dashboard/clusters/{cid}/licenses/active: licences of any account, with events in the window. */
export function listActiveLicensesOfCluster(
  parts: Parts,
): Handler<typeof DashboardLicenseServiceService.listActiveLicensesOfCluster> {
  return async ({ limit, cid, ...request }, { deadline }) => {
    const which = uuidProblem(cid) === undefined ? sql`contact.cluster_uid = ${cid}::uuid` : sql`false`;
    return listActive(parts, request, { which, since: windowStart(limit), known: sql`true` }, deadline);
  };
}

async function listActive(
  { config, database }: Parts, request: Parameters<typeof pageFrom>[0],
  { which, since, known }: { which: Fragment; since: Date; known: Fragment }, deadline: Deadline,
): Promise<ListActiveLicensesResponse> {
  const rows = sql`
    select contact.owner_id as "userId", account.slug as "username", account.email,
           contact.licence_id collate "C" as "licenseId", min(contact.first_received_at) as "firstReceivedAt",
           max(contact.last_received_at) as "lastReceivedAt",
           coalesce(licence.created_at, min(contact.first_received_at)) as "issuedAt"
      from product_contact contact
      join account on account.id = contact.owner_id and not account.deleted
      left join licence on licence.id = contact.licence_id and licence.owner_id = contact.owner_id
       and licence.cluster_uid = contact.cluster_uid
     where ${which}
     group by contact.owner_id, account.id, contact.licence_id, licence.id
    having max(contact.last_received_at) >= ${since}`;
  const list = { rows, order: byIssueAndUser };
  const page = pageFrom(request, config);
  const { items, total, next } = await readKnown<Timed<ActiveLicense>>(database, known, list, page, deadline);
  return { licenses: items.map(showTimes), total, next };
}
