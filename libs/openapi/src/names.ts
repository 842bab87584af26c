/**
 * Returns short names for declarations of several packages. A short name is the last part of the full name. If several
 * declarations have the same last part, their short names begin with the area: `ClustersCluster`, `ContractsCluster`.
 * @throws Error if two names are still equal
 */
export function shortNames(fullNames: Iterable<string>): ReadonlyMap<string, string> {
  const byShort = Map.groupBy(new Set(fullNames), (name) => name.slice(name.lastIndexOf('.') + 1));
  const names = new Map([...byShort].flatMap(([short, those]) =>
    those.map((name) => [name, those.length === 1 ? short : `${areaOf(name)}${short}`] as const)));
  if (new Set(names.values()).size < names.size) {
    throw new Error(`two of these declarations have the same short name: ${[...names.keys()].join(', ')}`);
  }
  return names;
}

/** `controlplane.orgs.v1.Team` → `Orgs`. */
function areaOf(fullName: string): string {
  const area = fullName.split('.')[1] ?? '';
  return area.charAt(0).toUpperCase() + area.slice(1);
}
