const form = /^\/subscriptions\/([^/]+)\/resourceGroups\/([^/]+)\/providers\/([^/]+)\/applications\/([^/]+)$/i;
/** Matches control characters, and parts (`.`, `..`) that would change the path of a request to the provider. */
const notPart = /^\.{1,2}$|\p{Cc}/u;
const mostCharacters = 1_000;

/** Returns the parts of the id of an application at provider B (open-points 11.2); undefined if the id is invalid. */
export function applicationParts(
  id: string,
): { clientSubscriptionId: string; resourceGroup: string; application: string } | undefined {
  if (id.length > mostCharacters) return undefined;
  const parts = form.exec(id)?.slice(1);
  if (parts === undefined || parts.some((part) => notPart.test(part))) return undefined;
  const [clientSubscriptionId = '', resourceGroup = '', , application = ''] = parts;
  return { clientSubscriptionId, resourceGroup, application };
}
