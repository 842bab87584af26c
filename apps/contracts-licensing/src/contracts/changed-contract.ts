import type { ContractChange } from '@platform/proto/contracts/v1/contract';
import { invalidValue } from '@platform/values';
import { productOf, type Products } from '../products/products.ts';
import type { BareContractRow } from './contract-row.ts';
import { mergeEmails, noEmails } from './emails.ts';
import { mergeQuota, noQuota } from './quota.ts';
import { restrictionsFrom } from './restrictions.ts';
import { contractName, featuresFrom, momentFrom, refuseEarlyEnd } from './terms.ts';

/**
 * Refuses values that are invalid for every contract. Call it before you read the contract (open-points 1.5).
 * @throws Fault INVALID_VALUE, INVALID_EMAIL, INVALID_QUOTA, TOO_MANY_ITEMS
 */
export function refuseImpossible({ name, start, end, restrictions, emails, quota }: ContractChange): void {
  if (name !== undefined) contractName(name);
  const startsAt = start === undefined ? undefined : momentFrom('start', start);
  const endsAt = end === undefined ? undefined : momentFrom('end', end);
  if (startsAt !== undefined && endsAt !== undefined) refuseEarlyEnd(startsAt, endsAt);
  if (restrictions !== undefined) restrictionsFrom(restrictions);
  mergeEmails(noEmails, emails);
  mergeQuota(noQuota, quota && { ...quota, enabled: undefined });
}

/**
 * Merges a change into a contract; absent fields stay (open-points 5.1, 5.7).
 * @throws Fault INVALID_VALUE, INVALID_EMAIL, INVALID_QUOTA, TOO_MANY_ITEMS, UNSUPPORTED_PRODUCT
 */
export function changedContract(before: BareContractRow, change: ContractChange, products: Products): BareContractRow {
  refuseFixed('uid', change.uid, before.ownerId);
  refuseFixed('orgOrUser', change.orgOrUser?.toLowerCase(), before.ownerSlug.toLowerCase());
  refuseFixed('product', change.product, before.product);
  const features = change.features
    && featuresFrom([productOf(products, before.product, 'product')], change.features.items);
  const startsAt = change.start === undefined ? before.startsAt : momentFrom('start', change.start);
  const endsAt = change.end === undefined ? before.endsAt : momentFrom('end', change.end);
  refuseEarlyEnd(startsAt, endsAt);
  return {
    ...before,
    name: change.name === undefined ? before.name : contractName(change.name),
    features: features ?? before.features,
    startsAt,
    endsAt,
    autoAssignCluster: change.autoAssignCluster ?? before.autoAssignCluster,
    allowOffline: change.allowOffline ?? before.allowOffline,
    disableAnalytics: change.disableAnalytics ?? before.disableAnalytics,
    enableClientBilling: change.enableClientBilling ?? before.enableClientBilling,
    restrictions: change.restrictions === undefined ? before.restrictions : restrictionsFrom(change.restrictions),
    emails: mergeEmails(before.emails, change.emails),
    quota: mergeQuota(before.quota, change.quota),
  };
}

function refuseFixed<Value>(path: string, given: Value | undefined, fixed: Value): void {
  if (given !== undefined && given !== fixed) throw invalidValue([{ path, message: 'cannot change' }]);
}
