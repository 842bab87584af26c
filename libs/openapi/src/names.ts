/**
 * Returns short names for declarations of several packages: the last part of the full name. If two declarations have
 * the same last part, the area comes first (`ClustersCluster`, `ContractsCluster`).
 * @throws Error if two names are still equal
 */
export function shortNames(things: Iterable<{ readonly typeName: string }>): ReadonlyMap<string, string> {
  const byShort = new Map<string, Set<string>>();
  for (const { typeName } of things) {
    const short = shortName(typeName);
    byShort.set(short, (byShort.get(short) ?? new Set()).add(typeName));
  }
  const names = new Map<string, string>();
  for (const [short, typeNames] of byShort) {
    for (const typeName of typeNames) names.set(typeName, typeNames.size === 1 ? short : `${areaOf(typeName)}${short}`);
  }
  if (new Set(names.values()).size < names.size) {
    throw new Error(`two declarations of the API have the same name: ${[...names.keys()].join(', ')}`);
  }
  return names;
}

/**
 * Returns the name of a message as a schema. Generators of clients make their own types from the name of an operation
 * and `Response`, `Request`, `Body` or `Params`, so no schema may end in these words.
 */
export function schemaName(short: string): string {
  return short.replace(/Response$/, 'Answer');
}

function shortName(typeName: string): string {
  return typeName.slice(typeName.lastIndexOf('.') + 1);
}

/** `controlplane.orgs.v1.Team` → `Orgs`. */
function areaOf(typeName: string): string {
  const area = typeName.split('.')[1] ?? '';
  return area.charAt(0).toUpperCase() + area.slice(1);
}
