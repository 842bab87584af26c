/** The parts of the id of an application at provider B (open-points 11.2). */
export interface ApplicationParts {
  readonly clientSubscriptionId: string;
  readonly resourceGroup: string;
  readonly provider: string;
  readonly application: string;
}

const form = /^\/subscriptions\/([^/]+)\/resourceGroups\/([^/]+)\/providers\/([^/]+)\/applications\/([^/]+)$/i;
const mostCharacters = 1_000;

/** Reads `/subscriptions/{id}/resourceGroups/{rg}/providers/{namespace}/applications/{name}`; undefined for others. */
export function applicationParts(id: string): ApplicationParts | undefined {
  if (id.length > mostCharacters) return undefined;
  const match = form.exec(id);
  if (match === null) return undefined;
  const [, clientSubscriptionId = '', resourceGroup = '', provider = '', application = ''] = match;
  return { clientSubscriptionId, resourceGroup, provider, application };
}
