import type { ClusterAdminServiceService } from '@platform/proto/clusters/v1/cluster';
import type { Handler } from '@platform/rpc';
import { resealAll, sealedAnswers } from '@platform/writes';
import { sealedGateways } from './client-organizations/cluster-store.ts';
import type { Parts } from './parts.ts';
import { sealedKubeconfigs } from './registry/store.ts';

/** `platform admin keys rotate`: re-encrypts the stored kubeconfigs, gateway configurations and answers to requests. */
export function rotateKeys({ database, sealer }: Parts): Handler<typeof ClusterAdminServiceService.rotateKeys> {
  return async (_request, { deadline }) => resealAll(
    (act) => database.transact(act, { deadline }), sealer, [sealedKubeconfigs, sealedGateways, sealedAnswers],
  );
}
