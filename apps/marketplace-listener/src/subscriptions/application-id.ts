/** The parts of the id of an application at provider B (open-points 11.2). */
interface ApplicationParts {
  readonly clientSubscriptionId: string;
  readonly resourceGroup: string;
  readonly provider: string;
  readonly application: string;
}

const form = /^\/subscriptions\/([^/]+)\/resourceGroups\/([^/]+)\/providers\/([^/]+)\/applications\/([^/]+)$/i;
/** The id becomes part of the path of a request to the provider, where `..` would change the path. */
const notPart = /^\.{1,2}$|\p{Cc}/u;
const mostCharacters = 1_000;

/** Reads `/subscriptions/{id}/resourceGroups/{rg}/providers/{namespace}/applications/{name}`. */
export function applicationParts(id: string): ApplicationParts | undefined {
  if (id.length > mostCharacters) return undefined;
  const parts = form.exec(id)?.slice(1);
  if (parts === undefined || parts.some((part) => notPart.test(part))) return undefined;
  const [clientSubscriptionId = '', resourceGroup = '', provider = '', application = ''] = parts;
  return { clientSubscriptionId, resourceGroup, provider, application };
}
