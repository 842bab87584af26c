/** The metered resources of a product. `unit` is the amount of stored use per reported unit. */
const resources = {
  // One core-minute, in billionths of a core times microseconds.
  cpu: { suffix: 'cpu_core_minutes', unit: 1_000_000_000n * 60_000_000n },
  // One GiB-minute, in billionths of a byte times microseconds.
  memory: { suffix: 'memory_gib_minutes', unit: 1_000_000_000n * 2n ** 30n * 60_000_000n },
} as const;

/** The dimension under which a provider counts a resource, such as `productdb_cpu_core_minutes` (ADR 0139). */
export function dimensionOf(product: string, resource: keyof typeof resources): string {
  return `${product}_${resources[resource].suffix}`;
}

/** Converts stored use to whole core-minutes or GiB-minutes. Half a unit is rounded to the even number. */
export function unitsOf(dimension: string, amount: bigint): bigint {
  const { unit } = dimension.endsWith(resources.cpu.suffix) ? resources.cpu : resources.memory;
  const [whole, rest] = [amount / unit, (amount % unit) * 2n];
  return rest > unit || (rest === unit && whole % 2n === 1n) ? whole + 1n : whole;
}
