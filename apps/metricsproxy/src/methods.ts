import {
  MetricsProxyAdminServiceService, MetricsProxyServiceService,
} from '@platform/proto/metricsproxy/v1/metricsproxy';
import { implement, type Implementation } from '@platform/rpc';
import { resealAll, sealedAnswers } from '@platform/writes';
import { registerFlavorA, registerFlavorB } from './backends/register.ts';
import { sealedBackends } from './backends/store.ts';
import { unregisterFlavorA, unregisterFlavorB } from './backends/unregister.ts';
import { authorize } from './hook/authorize.ts';
import type { Parts } from './parts.ts';
import type { FindRoute } from './proxy/find-route.ts';

export function methods(parts: Parts, tenantPrefix: string, findRoute: FindRoute): readonly Implementation[] {
  const { database, sealer } = parts;
  return [
    implement(MetricsProxyServiceService, {
      registerFlavorA: registerFlavorA(parts),
      unregisterFlavorA: unregisterFlavorA(parts),
      registerFlavorB: registerFlavorB(parts),
      unregisterFlavorB: unregisterFlavorB(parts),
      authorize: authorize(tenantPrefix, findRoute),
    }),
    implement(MetricsProxyAdminServiceService, {
      rotateKeys: (_request, { deadline }) =>
        resealAll((act) => database.transact(act, { deadline }), sealer, [sealedBackends, sealedAnswers]),
    }),
  ];
}
