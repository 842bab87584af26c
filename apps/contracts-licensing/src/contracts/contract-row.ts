import type { Contract } from '@platform/proto/contracts/v1/contract';
import { sql } from '@platform/postgres';
import { documentPath } from '../documents/store.ts';
import { secondsOf } from '../values.ts';
import { compactBindings, type CompactBinding, toClusterStatus } from './binding-row.ts';
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

export interface ContractRow extends BareContractRow {
  /** The bindings of the contract, by ascending id. */
  readonly clusters: readonly CompactBinding[];
}

/** SQL columns of a {@link BareContractRow}, for a query of the table `contract`. */
export const bareContractColumns = sql`
  contract.id, contract.owner_id as "ownerId",
  coalesce((select slug from account where account.id = contract.owner_id), '') as "ownerSlug",
  contract.name, contract.product, contract.features, contract.starts_at as "startsAt", contract.ends_at as "endsAt",
  contract.revoked_at as "revokedAt", contract.auto_assign_since is not null as "autoAssignCluster",
  contract.allow_offline as "allowOffline", contract.disable_analytics as "disableAnalytics",
  contract.enable_client_billing as "enableClientBilling", contract.restrictions, contract.document,
  contract.subscription_id as "subscription",
  json_build_object(
    'contactPerson', contract.contact_person, 'signingAuthority', contract.signing_authority,
    'licenseUsers', contract.license_users, 'financeTeam', contract.finance_team,
    'usageAlertClient', contract.usage_alert_client, 'usageAlertAdmin', contract.usage_alert_admin
  ) as "emails",
  json_build_object(
    'enabled', contract.quota_enabled, 'metric', contract.quota_metric, 'limit', contract.quota_limit,
    'alertThresholds', contract.quota_thresholds, 'disableLicenseOnLimitReached', contract.quota_blocks_licences
  ) as "quota"`;

/** SQL columns of a {@link ContractRow}, for a query of the table `contract`. */
export const contractColumns = sql`
  ${bareContractColumns}, (${compactBindings}) as "clusters"`;

/** The reader of a contract. Only site admins see the address list `usageAlertAdmin` (open-points 5.1). */
export type Audience = 'admin' | 'user';

/**
 * A contract as the API shows it (spec §2.4). Keep the order of the fields, because entity tags contain a hash of the
 * JSON.
 */
export function toContract(row: ContractRow, audience: Audience): Contract {
  const { id, name, product, quota, allowOffline, autoAssignCluster, disableAnalytics, enableClientBilling } = row;
  const { usageAlertAdmin, ...emails } = row.emails;
  return {
    id, uid: row.ownerId, orgOrUser: row.ownerSlug, name, product, features: [...row.features],
    clusters: row.clusters.map(([bindingId, cluster, displayName, tags, importedName, duplicates]) =>
      toClusterStatus({ id: bindingId, contractId: id, cluster, displayName, tags, importedName, duplicates })),
    associatedCluster: undefined,
    emails: { ...emails, usageAlertAdmin: audience === 'admin' ? { items: usageAlertAdmin } : undefined },
    quota: { ...quota, alertThresholds: [...quota.alertThresholds] },
    start: secondsOf(row.startsAt),
    end: secondsOf(row.endsAt),
    documentPath: row.document === '' ? '' : documentPath(id, row.document),
    allowOffline, autoAssignCluster, disableAnalytics, enableClientBilling, revoked: row.revokedAt !== null,
    restrictions: row.restrictions,
  };
}
