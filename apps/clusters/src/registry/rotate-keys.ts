import type { ClusterAdminServiceService } from '@platform/proto/clusters/v1/cluster';
import type { Handler } from '@platform/rpc';
import { reseal } from '@platform/writes';
import { sealedGateways } from '../client-organizations/store.ts';
import type { Parts } from '../parts.ts';
import { sealedKubeconfigs } from './store.ts';

/** `platform admin keys rotate`: kubeconfigs, and configurations of gateways. */
export function rotateKeys({ database, sealer }: Parts): Handler<typeof ClusterAdminServiceService.rotateKeys> {
  return async (_request, { deadline }) => {
    const transact: Parameters<typeof reseal>[0] = (act) => database.transact(act, { deadline });
    const kubeconfigs = await reseal(transact, sealer, sealedKubeconfigs);
    const gateways = await reseal(transact, sealer, sealedGateways);
    return {
      resealed: kubeconfigs.resealed + gateways.resealed, unreadable: kubeconfigs.unreadable + gateways.unreadable,
    };
  };
}
