import type { DuplicateFeatures } from '@platform/proto/contracts/v1/binding';
import type { ContractRow } from './contract-row.ts';

/**
 * Returns the contracts with the duplicates of each binding, as `bindingJoins` finds them: the other active contracts
 * of the owner that have the cluster and share a feature.
 * @param contracts all contracts of their owners, by ascending id
 */
export function withDuplicates(contracts: readonly ContractRow[]): ContractRow[] {
  const holders = new Map<string, ContractRow[]>();
  for (const contract of contracts) {
    if (!contract.isActive) continue;
    for (const cluster of contract.clusters[1] ?? []) {
      const known = holders.get(cluster);
      if (known === undefined) holders.set(cluster, [contract]);
      else known.push(contract);
    }
  }
  return contracts.map((contract) => {
    const [ids, clusters, displayNames, tags, importedNames] = contract.clusters;
    if (ids === null) return contract;
    const duplicates = clusters.map((cluster) => duplicatesOf(contract, holders.get(cluster) ?? []));
    return { ...contract, clusters: [ids, clusters, displayNames, tags, importedNames, duplicates] };
  });
}

function duplicatesOf(contract: ContractRow, holders: readonly ContractRow[]): DuplicateFeatures[] {
  const duplicates: DuplicateFeatures[] = [];
  for (const { id: contractId, ownerId, product, features } of holders) {
    if (contractId === contract.id || ownerId !== contract.ownerId) continue;
    const shared = features.filter((feature) => contract.features.includes(feature)).sort();
    if (shared.length > 0) duplicates.push({ contractId, product, features: shared });
  }
  return duplicates;
}
