/** Pattern of the text of a refusal by the authorizer of Kubernetes. */
const refusal = new RegExp('cannot ([a-z]+) resource "([a-z0-9-]+(?:/[a-z]+)?)" in API group "([a-z0-9.-]*)"'
  + '(?: in the namespace "([a-z0-9-]+)")?');
/** The webhook of a hub checks this subresource before it lets a client move clusters between sets. */
const join = 'managedclustersets/join';

/**
 * Returns the right that a 403 reports as missing: `create managedclustersets/join of GROUP`. The text consists only of
 * names, because the server is not trusted.
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
