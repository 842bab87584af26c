import type { BackendContext, MetricsProxyServiceService } from '@platform/proto/metricsproxy/v1/metricsproxy';
import type { AccountContext, CallerContext, Handler } from '@platform/rpc';
import type { Flavor } from '../dashboards/dashboard.ts';
import type { Parts } from '../parts.ts';
import { orGiveUp, settleInTurn } from './settle.ts';
import { removeBackends } from './store.ts';
import { findTarget, namedTarget } from './target.ts';

/** POST /metricsproxy/unregister (spec §4.7). */
export function unregisterFlavorA(parts: Parts): Handler<typeof MetricsProxyServiceService.unregisterFlavorA> {
  return ({ context: which }, context) => unregister(parts, 'flavora', which!, context);
}

/** POST /metricsproxy/flavorb/unregister (spec §4.7). */
export function unregisterFlavorB(parts: Parts): Handler<typeof MetricsProxyServiceService.unregisterFlavorB> {
  return ({ context: which }, context) => unregister(parts, 'flavorb', which!, context);
}

/**
 * Removes a backend. First ends the forwarding of queries to the backend, in all replicas. Then removes the datasource.
 * If the dashboard is unavailable, a job removes the datasource later.
 */
async function unregister(
  parts: Parts, flavor: Flavor, which: BackendContext, context: CallerContext & AccountContext,
): Promise<Record<string, never>> {
  const target = await findTarget(parts, namedTarget(which, context.caller.tokenClusterUid), flavor, context);
  const [wanted] = await parts.write(context, [], (work) => removeBackends(work, target));
  // Wait until no process uses the route any more. The slow dashboard must not delay this (open-points 9.1).
  await parts.told(context.deadline);
  if (wanted !== undefined) await orGiveUp(parts, wanted, () => settleInTurn(parts, wanted, context));
  return {};
}
