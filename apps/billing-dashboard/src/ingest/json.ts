/** An object of parsed JSON. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function objectOf(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value as JsonObject : undefined;
}

/** The text at a path; empty where there is none. */
export function textAt(value: unknown, ...path: readonly string[]): string {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : '';
}

/** The value at a path, where objects lead to it. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  let current = value;
  for (const step of path) {
    const object = objectOf(current);
    if (object === undefined || !Object.hasOwn(object, step)) return undefined;
    current = object[step];
  }
  return current;
}

/** Returns the same text for equal JSON values: the order of keys does not count. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    const object = objectOf(part);
    return object === undefined ? part : Object.fromEntries(Object.entries(object).toSorted(byKey));
  });
}

function byKey([one]: [string, unknown], [other]: [string, unknown]): number {
  return one < other ? -1 : 1;
}
