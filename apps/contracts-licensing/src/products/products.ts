import { readFileSync } from 'node:fs';
import { Fault } from '@platform/faults';
import type { ContractServiceService } from '@platform/proto/contracts/v1/contract';
import type { Handler } from '@platform/rpc';

/** A product and its one plan (open-points 5.3). */
export interface Product {
  readonly alias: string;
  readonly displayName: string;
  readonly tierName: string;
  readonly twitterHandle: string;
  readonly quickstartLink: string;
  /** Sorted, without duplicates. */
  readonly features: readonly string[];
  readonly mailingLists: readonly string[];
}

/** The products by their aliases. */
export type Products = ReadonlyMap<string, Product>;

const feature = /^[^\s,;]+$/;

/**
 * Reads `products.json`.
 * @throws Error if the file is unreadable, or if a product has no features or an invalid feature
 */
export function readProducts(file: URL = new URL('../../products.json', import.meta.url)): Products {
  const given = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Omit<Product, 'alias'>>;
  return new Map(Object.entries(given).map(([alias, product]) => {
    const features = [...new Set(product.features)].sort();
    // `/register` splits a list of features at white space, commas and semicolons (open-points 6.1, 6.3). So no feature
    // may contain them.
    const wrong = features.find((name) => !feature.test(name));
    if (features.length === 0) throw new Error(`products.json: the product ${alias} has no features`);
    if (wrong !== undefined) throw new Error(`products.json: the product ${alias} has an invalid feature: ${wrong}`);
    return [alias, { ...product, alias, features }];
  }));
}

/** @throws Fault UNSUPPORTED_PRODUCT */
export function productOf(products: Products, alias: string, path: string): Product {
  const product = products.get(alias);
  if (product !== undefined) return product;
  const message = `must be one of ${[...products.keys()].join(', ')}`;
  throw new Fault('UNSUPPORTED_PRODUCT', `${path} ${message}`, { violations: [{ path, message }] });
}

/** GET /contracts/available_products (spec §4.3, open-points 5.3). */
export function listProducts(
  { products }: { products: Products },
): Handler<typeof ContractServiceService.listProducts> {
  const answer = Object.fromEntries([...products].map(([alias, product]) => {
    const { displayName, tierName, twitterHandle, quickstartLink } = product;
    const [features, mailingLists] = [[...product.features], [...product.mailingLists]];
    const shown = { displayName, productLine: alias, tierName, twitterHandle, quickstartLink, features, mailingLists };
    return [alias, shown];
  }));
  return async () => ({ products: answer });
}
