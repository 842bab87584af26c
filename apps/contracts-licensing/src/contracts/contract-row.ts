import type { Contract } from '@platform/proto/contracts/v1/contract';
import { type Fragment, sql } from '@platform/postgres';
import { documentPath } from '../documents/store.ts';
import { secondsOf } from '../values.ts';
import { type BindingColumns, bindingColumnsOfContract, isActive, toClusterStatuses } from './binding-row.ts';
import type { Emails } from './emails.ts';
import type { Quota } from './quota.ts';

/** The terms of a contract: the fields that an update can change, except the document. */
export interface ContractTerms {
  readonly name: string;
  readonly features: readonly string[];
  readonly startsAt: Date;
  readonly endsAt: Date;
  readonly autoAssignCluster: boolean;
  readonly allowOffline: boolean;
  readonly disableAnalytics: boolean;
  readonly enableClientBilling: boolean;
  readonly restrictions: string;
  readonly emails: Emails;
  readonly quota: Quota;
}

/** A contract without its clusters. */
export interface BareContractRow extends ContractTerms {
  readonly id: number;
  readonly ownerId: number;
  /** Slug of the owner. Empty until this service knows the account. */
  readonly ownerSlug: string;
  readonly product: string;
  readonly revokedAt: Date | null;
  /** Name under which the contract's document is stored; empty if there is no document. */
  readonly document: string;
  /** Id of the marketplace subscription for which the contract was created; null if there is none. */
  readonly subscription: string | null;
}

/** A contract with its clusters. E-mails and quota have columns of their own, because PostgreSQL makes JSON slowly. */
export interface ContractRow extends Omit<BareContractRow, 'emails' | 'quota'>, Emails {
  readonly quotaEnabled: boolean;
  readonly quotaMetric: Quota['metric'];
  readonly quotaLimit: number;
  readonly quotaThresholds: number[];
  readonly quotaBlocksLicences: boolean;
  readonly isActive: boolean;
  readonly clusters: BindingColumns;
}

const commonColumns = sql`
  contract.id, contract.owner_id as "ownerId",
  coalesce((select slug from account where account.id = contract.owner_id), '') as "ownerSlug",
  contract.name, contract.product, contract.features, contract.starts_at as "startsAt", contract.ends_at as "endsAt",
  contract.revoked_at as "revokedAt", contract.auto_assign_since is not null as "autoAssignCluster",
  contract.allow_offline as "allowOffline", contract.disable_analytics as "disableAnalytics",
  contract.enable_client_billing as "enableClientBilling", contract.restrictions, contract.document,
  contract.subscription_id as "subscription"`;

/** SQL columns of a {@link BareContractRow}, for a query of the table `contract`. */
export const bareContractColumns = sql`
  ${commonColumns},
  json_build_object(
    'contactPerson', contract.contact_person, 'signingAuthority', contract.signing_authority,
    'licenseUsers', contract.license_users, 'financeTeam', contract.finance_team,
    'usageAlertClient', contract.usage_alert_client, 'usageAlertAdmin', contract.usage_alert_admin
  ) as "emails",
  json_build_object(
    'enabled', contract.quota_enabled, 'metric', contract.quota_metric, 'limit', contract.quota_limit,
    'alertThresholds', contract.quota_thresholds, 'disableLicenseOnLimitReached', contract.quota_blocks_licences
  ) as "quota"`;

/** @param withDuplicates see {@link bindingColumnsOfContract} */
const columnsWith = (withDuplicates: Fragment): Fragment => sql`
  ${commonColumns},
  contract.contact_person as "contactPerson", contract.signing_authority as "signingAuthority",
  contract.license_users as "licenseUsers", contract.finance_team as "financeTeam",
  contract.usage_alert_client as "usageAlertClient", contract.usage_alert_admin as "usageAlertAdmin",
  contract.quota_enabled as "quotaEnabled", contract.quota_metric as "quotaMetric",
  contract.quota_limit as "quotaLimit", contract.quota_thresholds as "quotaThresholds",
  contract.quota_blocks_licences as "quotaBlocksLicences", ${isActive(sql`contract`)} as "isActive",
  (${bindingColumnsOfContract(withDuplicates)}) as "clusters"`;

/** SQL columns of a {@link ContractRow}, for a query of the table `contract`. */
export const contractColumns = columnsWith(sql`true`);

/** Like {@link contractColumns}, but PostgreSQL searches for duplicates only if `page.is_part` of the query is true. */
export const pageColumns = columnsWith(sql`page.is_part`);

/** The reader of a contract. Only site admins see the address list `usageAlertAdmin` (open-points 5.1). */
export type Audience = 'admin' | 'user';

/**
 * A contract as the API shows it (spec §2.4). Keep the order of the fields, because entity tags contain a hash of the
 * JSON.
 */
export function toContract(row: ContractRow, audience: Audience): Contract {
  const { id, name, product, allowOffline, autoAssignCluster, disableAnalytics, enableClientBilling } = row;
  const { contactPerson, signingAuthority, licenseUsers, financeTeam, usageAlertClient } = row;
  const usageAlertAdmin = audience === 'admin' ? { items: row.usageAlertAdmin } : undefined;
  return {
    id, uid: row.ownerId, orgOrUser: row.ownerSlug, name, product, features: [...row.features],
    clusters: toClusterStatuses(id, row.clusters),
    associatedCluster: undefined,
    emails: { contactPerson, signingAuthority, licenseUsers, financeTeam, usageAlertClient, usageAlertAdmin },
    quota: {
      enabled: row.quotaEnabled, metric: row.quotaMetric, limit: row.quotaLimit, alertThresholds: row.quotaThresholds,
      disableLicenseOnLimitReached: row.quotaBlocksLicences,
    },
    start: secondsOf(row.startsAt),
    end: secondsOf(row.endsAt),
    documentPath: row.document === '' ? '' : documentPath(id, row.document),
    allowOffline, autoAssignCluster, disableAnalytics, enableClientBilling, revoked: row.revokedAt !== null,
    restrictions: row.restrictions,
  };
}
