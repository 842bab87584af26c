import type { NewContract } from '@platform/proto/contracts/v1/contract';
import { invalidValue } from '@platform/values';
import type { Product, Products } from '../products/products.ts';
import { wholeSecond } from '../values.ts';
import { bindingsFrom, type NewBinding } from './cluster-references.ts';
import type { ContractTerms } from './contract-row.ts';
import { mergeEmails, noEmails } from './emails.ts';
import { mergeQuota, noQuota } from './quota.ts';
import { restrictionsFrom } from './restrictions.ts';
import { contractName, featuresFrom, momentFrom, productsFrom, refuseEarlyEnd } from './terms.ts';

/**
 * Parses the form of new contracts (open-points 5.1, 5.7).
 * @returns the contracts, and the bindings that each contract gets
 * @throws Fault EMPTY_LIST, TOO_MANY_ITEMS, UNSUPPORTED_PRODUCT, INVALID_EMAIL, INVALID_QUOTA, INVALID_VALUE
 */
export function newContractsFrom(
  form: NewContract, known: Products, now: Date,
): { contracts: readonly { product: Product; terms: ContractTerms }[]; bindings: readonly NewBinding[] } {
  const products = productsFrom(known, form.products?.items ?? []);
  const name = contractName(form.name ?? '');
  const features = featuresFrom(products, form.features?.items);
  const startsAt = form.start === undefined ? wholeSecond(now.getTime()) : momentFrom('start', form.start);
  const endsAt = momentFrom('end', form.end ?? 0);
  refuseEarlyEnd(startsAt, endsAt);
  if (endsAt <= now) throw invalidValue([{ path: 'end', message: 'must be in the future' }]);
  const terms = {
    name,
    startsAt,
    endsAt,
    autoAssignCluster: form.autoAssignCluster ?? false,
    allowOffline: form.allowOffline ?? false,
    disableAnalytics: form.disableAnalytics ?? false,
    enableClientBilling: form.enableClientBilling ?? false,
    restrictions: restrictionsFrom(form.restrictions ?? ''),
    emails: mergeEmails(noEmails, form.emails),
    quota: mergeQuota(noQuota, form.quota),
  };
  return {
    contracts: products.map((product) => ({ product, terms: { ...terms, features: features ?? product.features } })),
    bindings: bindingsFrom('clusters', form.clusters?.items ?? []),
  };
}
