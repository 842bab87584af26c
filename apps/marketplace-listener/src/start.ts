import { openJobs } from '@platform/jobs';
import { openDatabase } from '@platform/postgres';
import { ListenerServiceService } from '@platform/proto/marketplace/v1/listener';
import { ClaimServiceService } from '@platform/proto/orgs/v1/claim';
import {
  connect, deploymentOf, implement, openPeers, openRateLimiter, openRemoteGuard, openRpc,
} from '@platform/rpc';
import { createSealer, type Start } from '@platform/service';
import { hasListener } from '@platform/surface';
import { checkClaimable } from './claims/check-claimable.ts';
import type { Config } from './config.ts';
import { getListenerVersion } from './listener/get-version.ts';
import { serveListener } from './listener/serve-listener.ts';
import type { Parts } from './parts.ts';

export { picks } from './config.ts';

/** The only place where the parts of the service are put together. */
export const start: Start<Config> = async (service, config) => {
  const migrations = new URL('../migrations/', import.meta.url);
  const database = await openDatabase(service, config, { schema: 'marketplace_listener', migrations });
  const peers = await openPeers(service, config);
  const { stack } = service;
  const guard = openRemoteGuard(service, config, peers, {});
  const orgsTeams = { ...peers, name: 'orgs-teams', addresses: config.orgsTeams };
  const parts: Parts = {
    config, service, peers, database, guard,
    sealer: createSealer(config.encryptionKeys),
    claims: stack.use(connect(ClaimServiceService, orgsTeams)),
  };
  await openJobs(service, config, database, { tasks: [], schedules: [] });
  const services = [
    implement(ListenerServiceService, {
      getListenerVersion,
      checkClaimable: checkClaimable(parts),
    }),
  ];
  const rateLimiter = openRateLimiter(service, config);
  const { grpc } = await openRpc(service, config, { ...peers, guard, services, rateLimiter });
  if (!hasListener(deploymentOf(config))) return { grpc };
  const listener = await serveListener(parts, grpc);
  return { grpc, listener: listener.address };
};
