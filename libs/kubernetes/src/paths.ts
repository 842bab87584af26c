/** Returns the path of the objects of a kind, in one namespace or in all. The empty group is the core group. */
export function pathOfKind(
  { group, version }: { readonly group: string; readonly version: string }, plural: string, namespace?: string,
): string {
  const within = namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${pathOfGroup(group, version)}${within}/${plural}`;
}

export function pathOfGroup(group: string, version: string): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
}
