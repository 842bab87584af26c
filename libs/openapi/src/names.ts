/** A declaration of the protos that gets a name in the document. */
interface Named {
  /** `controlplane.orgs.v1.Team`. */
  readonly typeName: string;
}

/**
 * Short names for things of several packages: the last part of the full name, with the area before it where two share
 * it (`ClustersCluster`, `ContractsCluster`).
 * @throws Error when these names are equal, too
 */
export function shortNames(things: Iterable<Named>): ReadonlyMap<string, string> {
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
    throw new Error(`two things of the API have one name: ${[...names.keys()].join(', ')}`);
  }
  return names;
}

/**
 * The name of a message as a schema. Generators of clients give the names of operations with `Response`, `Request`,
 * `Body` and `Params` to types that they make themselves, so no schema ends so.
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
