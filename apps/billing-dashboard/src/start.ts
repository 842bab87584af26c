import { inboxPrefixOf, openBus } from '@platform/bus';
import { followFacts, type Following, handOverEvents, publishFacts } from '@platform/facts';
import { openJobs } from '@platform/jobs';
import { openLeaseBus, openRemoteGuard } from '@platform/leases';
import { openAccounts } from '@platform/owners';
import { openDatabase } from '@platform/postgres';
import { FactServiceService } from '@platform/proto/facts/v1/facts';
import { EventServiceService } from '@platform/proto/orgs/v1/event';
import { SettingsServiceService } from '@platform/proto/orgs/v1/settings';
import { connect, openPeers, openRateLimiter, openRpc } from '@platform/rpc';
import { createSealer, type GrpcServiceName, type Start } from '@platform/service';
import {
  applyRetention, createKeptAnswers, createLocks, createWrite, deleteOldAnswers, remoteAdmission, reportLostKeys,
} from '@platform/writes';
import type { Config } from './config.ts';
import { createTypeset } from './documents/typeset.ts';
import { consumeEvents } from './ingest/consume-events.ts';
import { createIngest } from './ingest/ingest.ts';
import { watchKeptShares } from './ingest/kept-events.ts';
import type { Parts } from './parts.ts';
import { applyAccounts, applyClientClusters, applyClusters } from './projections/apply-accounts.ts';
import { applyContractClusters, applyContracts, applyLicences } from './projections/apply-contracts.ts';
import { methods } from './methods.ts';
import { dropOldParkedEvents } from './ingest/parked-events.ts';
import { noteFinalMonths } from './usage/read-months.ts';
import { publishQuotaUse } from './usage/quota-use.ts';
import { createRawEvents } from './ingest/raw-events.ts';
import { keepUsageRenewed } from './usage/keep-renewed.ts';

export { picks } from './config.ts';

const dayMs = 86_400_000;
/**
 * Interval for publishing quota use, in milliseconds. A crossed quota threshold must be detected within 60 s
 * (open-points 5.7).
 */
const quotaUseMs = 15_000;

export const start: Start<Config> = async (service, config) => {
  const { stack, metrics } = service;
  const migrations = new URL('../migrations/', import.meta.url);
  const database = await openDatabase(service, config, { schema: 'billing_dashboard', migrations });
  const peers = await openPeers(service, config);
  const rateLimiter = openRateLimiter(service, config);
  const guard = openRemoteGuard(service, config, peers, {
    bus: openLeaseBus(service, config), rateLimiter, objects: {},
  });
  const sealer = createSealer(config.encryptionKeys);
  reportLostKeys(service, database, sealer);
  const follow = (from: GrpcServiceName, addresses: readonly string[], kinds: Following['kinds']): Following =>
    ({ from, client: stack.use(connect(FactServiceService, { ...peers, name: from, addresses })), kinds });
  const followed = followFacts(service, database, [
    follow('orgs-teams', config.orgsTeams, { account: applyAccounts }),
    follow('clusters', config.clusters, { cluster: applyClusters, client_cluster: applyClientClusters }),
    follow('contracts-licensing', config.contractsLicensing, {
      contract: applyContracts, contract_cluster: applyContractClusters, licence: applyLicences,
    }),
  ]);
  const rawEvents = createRawEvents(database);
  const stored = keepUsageRenewed(service, database);
  const ingest = createIngest({ database, rawEvents, metrics, lateChangesMs: config.lateChanges, stored });
  const bus = config.natsUrl === undefined || config.natsCredentials === undefined ? undefined : openBus(service, {
    url: config.natsUrl.join(','), credentials: config.natsCredentials.reveal(),
    inboxPrefix: inboxPrefixOf(service.name),
  });
  if (bus !== undefined) {
    const kept = watchKeptShares(service, database, config);
    consumeEvents(bus, ingest, database, { shards: config.busShards, rates: config, kept, metrics });
  }
  await openJobs(service, config, database, {
    schedules: [
      { name: 'drop-old-raw-events', everyMs: dayMs, run: ({ deadline }) => rawEvents.dropOld(deadline) },
      { name: 'drop-old-parked-events', everyMs: dayMs, run: (job) => dropOldParkedEvents(database, job.deadline) },
      { name: 'publish-quota-use', everyMs: quotaUseMs, run: ({ deadline }) => publishQuotaUse(database, deadline) },
      { name: 'final-months', everyMs: 3_600_000, run: (job) => noteFinalMonths(database, job) },
      { name: 'audit-retention', everyMs: dayMs, run: (job) => applyRetention(database, config.auditKeep, job) },
      { name: 'old-kept-answers', everyMs: 3_600_000, run: (job) => deleteOldAnswers(database, job) },
    ],
  });
  const orgsTeams = { ...peers, name: 'orgs-teams', addresses: config.orgsTeams };
  handOverEvents(service, database, stack.use(connect(EventServiceService, orgsTeams)));
  const parts: Parts = {
    config, database, ingest, rawEvents, bus, sealer,
    accounts: stack.use(openAccounts(peers, config.orgsTeams)),
    write: createWrite({ database, locks: createLocks([]), admission: remoteAdmission(guard) }),
    typeset: createTypeset(),
    settings: stack.use(connect(SettingsServiceService, orgsTeams)),
  };
  return openRpc(service, config, {
    ...peers, guard, services: [publishFacts(service, database, followed), ...methods(parts)],
    rateLimiter, kept: createKeptAnswers(database, config.encryptionKeys),
  });
};
