import type { AuthorizeResponse, MetricsProxyServiceService } from '@platform/proto/metricsproxy/v1/metricsproxy';
import type { Account, Handler } from '@platform/rpc';
import type { FoundCluster } from './cluster-source.ts';

/** The tenant under which the metrics of an owner are kept. */
export function tenantOf(tenantPrefix: string, ownerId: number): string {
  return `${tenantPrefix}${ownerId}`;
}

/** GET /metricsproxy/auth/{uidcid}/{path} (spec §4.7). The access rule decides; this says for whom. */
export function authorize(tenantPrefix: string): Handler<typeof MetricsProxyServiceService.authorize> {
  return async (_request, { account, object }): Promise<AuthorizeResponse> => ({
    owner: account.name,
    clusterName: (object() as FoundCluster).name,
    tenantId: tenantOf(tenantPrefix, account.id),
    clientOrg: isClient(account) ? 'true' : '',
  });
}

function isClient(account: Account): boolean {
  return account.kind === 'organization' && account.standing.client === true;
}
