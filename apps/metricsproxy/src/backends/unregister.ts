import type { BackendContext, MetricsProxyServiceService } from '@platform/proto/metricsproxy/v1/metricsproxy';
import { type AccountContext, type CallerContext, type Handler, unavailable } from '@platform/rpc';
import { deadlineIn, pause, remaining } from '@platform/service';
import type { Flavor } from '../dashboards/dashboard.ts';
import type { Parts } from '../parts.ts';
import { settle } from './settle.ts';
import { giveUp, isGone, removeBackends, takeLease } from './store.ts';
import { findTarget, namedTarget } from './target.ts';

/** POST /metricsproxy/unregister (spec §4.7). */
export function unregisterFlavorA(parts: Parts): Handler<typeof MetricsProxyServiceService.unregisterFlavorA> {
  return ({ context: which }, context) => unregister(parts, 'flavora', which!, context);
}

/** POST /metricsproxy/flavorb/unregister (spec §4.7). */
export function unregisterFlavorB(parts: Parts): Handler<typeof MetricsProxyServiceService.unregisterFlavorB> {
  return ({ context: which }, context) => unregister(parts, 'flavorb', which!, context);
}

const busyMs = 100;
const givingUpMs = 2_000;

/** The route goes with the commit, then the tokens, then the datasource: later, where the dashboard is away. */
async function unregister(
  parts: Parts, flavor: Flavor, which: BackendContext, context: CallerContext & AccountContext,
): Promise<Record<string, never>> {
  const { database, write } = parts;
  const { deadline } = context;
  const target = await findTarget(parts, namedTarget(which, context.caller.tokenClusterUid), flavor, context);
  const [id] = await write(context, [], (work) => removeBackends(work, target));
  if (id === undefined) return {};
  for (;;) {
    const lease = await takeLease(database, id, { deadline });
    if (lease !== undefined) {
      try {
        await settle(parts, lease, context);
        return {};
      } catch (error) {
        await giveUp(database, lease, { deadline: deadlineIn(givingUpMs) }).catch(() => undefined);
        throw error;
      }
    }
    // Somebody else works on it, and sees before the end that the backend is to go.
    if (await isGone(database, id, { deadline })) return {};
    if (remaining(deadline) < 10 * busyMs) throw unavailable('the registration');
    await pause(busyMs, deadline.signal);
  }
}
