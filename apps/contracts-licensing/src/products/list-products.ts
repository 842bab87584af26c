import type { ContractServiceService } from '@platform/proto/contracts/v1/contract';
import type { Handler } from '@platform/rpc';
import type { Parts } from '../parts.ts';

/** GET /contracts/available_products (spec §4.3, open-points 5.3). */
export function listProducts({ products }: Parts): Handler<typeof ContractServiceService.listProducts> {
  const answer = Object.fromEntries([...products].map(([alias, product]) => [alias, {
    displayName: product.displayName,
    productLine: alias,
    tierName: product.tierName,
    twitterHandle: product.twitterHandle,
    quickstartLink: product.quickstartLink,
    features: [...product.features],
    mailingLists: [...product.mailingLists],
  }]));
  return async () => ({ products: answer });
}
