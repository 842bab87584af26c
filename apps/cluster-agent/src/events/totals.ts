import { binaryQuantity, decimalQuantity, parseQuantity } from '@platform/values';
import type { Described } from '../inventory/inventory.ts';
import type { Container } from '../inventory/read-objects.ts';

type Which = 'limits' | 'requests';
type Quantities = Readonly<Record<string, string>>;

/**
 * Returns the limits and requests of an object (open-points 7.3, 13.2), as exact sums. If the object has a pod
 * template, the sums of the template are multiplied by the replicas. Otherwise, its pods are summed up. The storage
 * request is the sum of the existing claims. If there are no claims, the storage request is the sum of the claim
 * templates, multiplied by the replicas if the object has a pod template.
 */
export function totalOf({ workload, pods, claims }: Described): Partial<Record<Which, Quantities>> {
  const { containers, replicas = pods.length } = workload;
  const [all, times] = containers === undefined
    ? [pods.flatMap((pod) => pod.containers), 1n]
    : [containers, BigInt(replicas)];
  const storage = claims.length > 0
    ? sum(claims.map((claim) => claim.storage))
    : times * sum(workload.claimTemplates.map((claim) => claim.storage));
  const limits = amounts(all, times, 'limits', 'requests');
  const requests = {
    ...amounts(all, times, 'requests', 'limits'),
    ...(storage > 0n && { storage: binaryQuantity(storage) }),
  };
  return { ...(Object.keys(limits).length > 0 && { limits }), ...(Object.keys(requests).length > 0 && { requests }) };
}

/**
 * Sums up the CPU and the memory of containers, and multiplies each sum by `times`. Reads the amounts of a container
 * from the field `first`. If this field does not state a resource, reads it from the field `second`. Leaves out a
 * resource that no container states in `first`.
 */
function amounts(containers: readonly Container[], times: bigint, first: Which, second: Which): Quantities {
  const write = { cpu: decimalQuantity, memory: binaryQuantity };
  return Object.fromEntries((['cpu', 'memory'] as const).flatMap((resource) => {
    if (!containers.some((container) => container[first][resource] !== undefined)) return [];
    const total = times * sum(containers.map((one) => one[first][resource] ?? one[second][resource] ?? '0'));
    return [[resource, write[resource](total)]];
  }));
}

/** Adds up quantities. A text that is not a quantity counts as 0. */
function sum(quantities: readonly string[]): bigint {
  return quantities.reduce((all, quantity) => all + (parseQuantity(quantity) ?? 0n), 0n);
}
