/** How the authorizer of Kubernetes refuses. */
const refusal = new RegExp('cannot ([a-z]+) resource "([a-z0-9-]+(?:/[a-z]+)?)" in API group "([a-z0-9.-]*)"'
  + '(?: in the namespace "([a-z0-9-]+)")?');
/** Where the webhook of a hub refuses to move clusters between sets, this subresource is what it has looked at. */
const join = 'managedclustersets/join';

/**
 * The right that a 403 of an API server says is missing: `create managedclustersets/join of GROUP`. Built of names
 * only: any server may be imported, and answer anything.
 * @returns undefined where the answer is no refusal of this kind
 */
export function missingRight(body: unknown): string | undefined {
  const message = messageOf(body);
  if (message.includes(join)) return `create ${join} of cluster.open-cluster-management.io`;
  const [, verb, resource, group = '', namespace] = refusal.exec(message) ?? [];
  if (verb === undefined) return undefined;
  return [
    `${verb} ${resource}`, ...(group === '' ? [] : [`of ${group}`]),
    ...(namespace === undefined ? [] : [`in namespace ${namespace}`]),
  ].join(' ');
}

function messageOf(body: unknown): string {
  try {
    const { message } = (typeof body === 'string' ? JSON.parse(body) : body) as { readonly message?: unknown };
    return typeof message === 'string' ? message.slice(0, 2_000) : '';
  } catch {
    return '';
  }
}
