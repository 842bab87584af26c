import type { AuthorizeResponse, MetricsProxyServiceService } from '@platform/proto/metricsproxy/v1/metricsproxy';
import type { Handler } from '@platform/rpc';
import { identityText, parseIdentity, tenantOf } from '../identity.ts';
import { type FindRoute, refuseFormerToken } from '../proxy/find-route.ts';
import type { FoundCluster } from './cluster-source.ts';

/**
 * GET /metricsproxy/auth/{uidcid}/{path} (spec §4.7). Returns the tenant under which the metrics of a cluster are
 * stored. If the caller's token was created for a registration, also calls {@link refuseFormerToken}.
 */
export function authorize(
  tenantPrefix: string, findRoute: FindRoute,
): Handler<typeof MetricsProxyServiceService.authorize> {
  return async ({ uidcid = '' }, { account, caller, object, deadline }): Promise<AuthorizeResponse> => {
    if (caller.tokenSlot !== undefined) {
      refuseFormerToken(caller, await findRoute(identityText(parseIdentity(uidcid)!), deadline));
    }
    return {
      owner: account.name,
      clusterName: (object() as FoundCluster).name,
      tenantId: tenantOf(tenantPrefix, account.id),
      clientOrg: account.kind === 'organization' && account.standing.client === true ? 'true' : '',
    };
  };
}
