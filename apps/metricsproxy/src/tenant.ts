/** The tenant under which the metrics of an owner are kept. */
export function tenantOf(tenantPrefix: string, ownerId: number): string {
  return `${tenantPrefix}${ownerId}`;
}
