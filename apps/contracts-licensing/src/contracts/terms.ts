import { invalidValue } from '@platform/values';
import { productOf, type Product, type Products } from '../products/products.ts';
import { nameFrom, refuseEmpty } from '../values.ts';
import type { BareContractRow } from './contract-row.ts';

/** The last second of the year 9999, in Unix seconds. */
const latest = 253_402_300_799;

/** @throws Fault INVALID_VALUE */
export function contractName(text: string): string {
  return nameFrom('name', text, { least: 1, most: 100 });
}

/** Finds products by alias. Refuses duplicates. @throws Fault EMPTY_LIST, UNSUPPORTED_PRODUCT, INVALID_VALUE */
export function productsFrom(products: Products, aliases: readonly string[]): Product[] {
  refuseEmpty('products', aliases);
  return aliases.map((alias, index) => {
    const path = `products[${index}]`;
    if (aliases.indexOf(alias) < index) throw invalidValue([{ path, message: 'is given twice' }]);
    return productOf(products, alias, path);
  });
}

/**
 * Sorts features and removes duplicates. Undefined if no features are given.
 * @throws Fault INVALID_VALUE for a feature that one of the products does not have
 */
export function featuresFrom(products: readonly Product[], given: readonly string[] | undefined): string[] | undefined {
  if (given === undefined || given.length === 0) return undefined;
  const violations = given.flatMap((feature, index) => {
    const without = products.find(({ features }) => !features.includes(feature));
    return without === undefined ? [] : [{ path: `features[${index}]`, message: `is not a feature of ${without.alias}` }];
  });
  if (violations.length > 0) throw invalidValue(violations);
  return [...new Set(given)].sort();
}

/** Reads a moment in Unix seconds. @throws Fault INVALID_VALUE */
export function momentFrom(path: string, seconds: number): Date {
  if (seconds >= 0 && seconds <= latest) return new Date(seconds * 1000);
  throw invalidValue([{ path, message: `must be a Unix time in seconds, from 0 to ${latest}` }]);
}

/** @throws Fault INVALID_VALUE unless the end is after the start */
export function refuseEarlyEnd(startsAt: Date, endsAt: Date): void {
  if (endsAt <= startsAt) throw invalidValue([{ path: 'end', message: 'must be after start' }]);
}

/** State of a contract (open-points 5.2). Only an active contract gives licences. */
export type ContractState = 'not started' | 'active' | 'expired' | 'revoked';

export function stateOf(
  { startsAt, endsAt, revokedAt }: Pick<BareContractRow, 'startsAt' | 'endsAt' | 'revokedAt'>, now: Date,
): ContractState {
  if (revokedAt !== null) return 'revoked';
  if (now < startsAt) return 'not started';
  return now < endsAt ? 'active' : 'expired';
}
