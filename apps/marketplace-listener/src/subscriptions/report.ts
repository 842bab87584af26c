import { Fault } from '@platform/faults';
import { orderBy, type Listed, type Page, readPage } from '@platform/lists';
import { type Queryable, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import type { SealedToken } from '../installers/store.ts';
import type { Marketplace } from '../marketplaces.ts';
import type { State } from './state.ts';

/** A subscription as the dashboard shows it. */
export interface ShownRow {
  readonly id: number;
  readonly publicId: string;
  readonly marketplace: Marketplace;
  readonly state: State;
  readonly ownerId: number;
  /** Empty if the subscription is bound to no installer. */
  readonly installerId: string;
  readonly billingEvents: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly lastBillingEventAt: Date | null;
  readonly alerts: number;
  readonly lastAlertAt: Date | null;
  readonly billingNotBefore: Date | null;
}

/** The stored values for the billing details of a subscription (open-points 8.4). */
export interface BillingRow extends SealedToken {
  readonly hostedBaseUrl: string | null;
  readonly applicationId: string | null;
  readonly resourceUsageId: string;
  readonly managedResourceGroup: string;
  readonly planName: string | null;
}

const columns = sql`
  subscription.id, subscription.public_id as "publicId", subscription.marketplace, subscription.state,
  coalesce(installer.owner_id, 0) as "ownerId",
  case when subscription.bound_at is null then '' else coalesce(installer.public_id, '') end as "installerId",
  subscription.billing_events as "billingEvents", subscription.created_at as "createdAt",
  subscription.updated_at as "updatedAt", subscription.last_billing_event_at as "lastBillingEventAt",
  subscription.alerts, subscription.last_alert_at as "lastAlertAt",
  subscription.billing_not_before as "billingNotBefore"`;
const source = sql`subscription left join installer on installer.id = subscription.installer_id`;

const lastUpdatedFirst = orderBy(
  { column: 'updatedAt', kind: 'time', descending: true }, { column: 'id', kind: 'integer', descending: true },
);

export async function readSubscriptions(
  queryable: Queryable, page: Page, deadline: Deadline,
): Promise<Listed<ShownRow>> {
  const listed = await readPage<ShownRow>(queryable, {
    rows: sql`select ${columns} from ${source}`, order: lastUpdatedFirst, count: sql`select count(*) from subscription`,
  }, page, deadline);
  return listed!;
}

/** Reads a subscription and the values for its billing details. @throws Fault SUBSCRIPTION_NOT_FOUND */
export async function readSubscription(
  queryable: Queryable, marketplace: string, publicId: string, deadline: Deadline,
): Promise<ShownRow & BillingRow> {
  const row = await queryable.maybeOne(sql<ShownRow & BillingRow>`
    select ${columns}, installer.hosted_base_url as "hostedBaseUrl", installer.public_id as "tokenOf",
           application_id as "applicationId", resource_usage_id as "resourceUsageId",
           managed_resource_group as "managedResourceGroup", plan ->> 'name' as "planName",
           installer.sealed_by as "keyId", installer.sealed_secret as "bytes"
      from ${source}
     where subscription.marketplace = ${marketplace} and subscription.public_id = ${publicId}`, { deadline });
  if (row !== undefined) return row;
  throw new Fault('SUBSCRIPTION_NOT_FOUND', 'there is no such subscription in this marketplace');
}
