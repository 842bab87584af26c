import { applyClusterContacts, followFacts, handOverEvents, publishFacts } from '@platform/facts';
import { openJobs } from '@platform/jobs';
import { openAuthority, openLeaseBus, openRemoteGuard } from '@platform/leases';
import { createOutbound } from '@platform/outbound';
import { findOwners, openAccounts, ownerService } from '@platform/owners';
import { openDatabase } from '@platform/postgres';
import { ContractLookupServiceService } from '@platform/proto/contracts/v1/lookup';
import { FactServiceService } from '@platform/proto/facts/v1/facts';
import { AdminServiceService } from '@platform/proto/orgs/v1/admin';
import { EventServiceService } from '@platform/proto/orgs/v1/event';
import { ClientOrganizationAdminServiceService } from '@platform/proto/orgs/v1/client_organization';
import { connect, type ObjectSource, openPeers, openRateLimiter, openRpc } from '@platform/rpc';
import { createSealer, type Start } from '@platform/service';
import {
  applyRetention, createKeptAnswers, createLocks, createWrite, deleteOldAnswers, remoteAdmission, reportLostKeys,
} from '@platform/writes';
import { advance, advanceAll } from './client-organizations/advance.ts';
import { deleteOldClients } from './client-organizations/store.ts';
import { advanceClient } from './client-organizations/task.ts';
import type { ClustersConfig } from './config.ts';
import { openHubs, readDefinitions } from './hubs/hubs.ts';
import { removeProbes } from './hubs/probe.ts';
import { methods } from './methods.ts';
import type { Parts } from './parts.ts';
import { clusterTable, findClusterNamed, noteLostClusters } from './registry/store.ts';

export { picks } from './config.ts';

export const start: Start<ClustersConfig> = async (service, config) => {
  const migrations = new URL('../migrations/', import.meta.url);
  const database = await openDatabase(service, config, { schema: 'clusters', migrations });
  const peers = await openPeers(service, config);
  const cluster: ObjectSource = async ({ keys: [key], accountId }, { deadline }) => {
    if (accountId !== undefined) return await findClusterNamed(database, accountId, String(key), deadline);
    const id = Number(key);
    const owner = (await findOwners(database, clusterTable, [id], { deadline })).get(id);
    return owner && { id, ...owner };
  };
  /** A cluster set belongs to the owner of its hub. Only the hub knows whether the set exists. */
  const clusterset: ObjectSource = ({ keys: [hub], accountId }, call) => cluster({ keys: [hub!], accountId }, call);
  const bus = openLeaseBus(service, config);
  const rateLimiter = openRateLimiter(service, config);
  const guard = openRemoteGuard(service, config, peers, { bus, rateLimiter, objects: { cluster, clusterset } });
  const leases = service.stack.use(openAuthority({
    database, line: bus?.line('clusters'), lifetimeMs: config.leaseLifetimeMs, log: service.log,
  }));
  const write = createWrite({ database, locks: createLocks([]), admission: remoteAdmission(guard) });
  const sealer = createSealer(config.encryptionKeys);
  reportLostKeys(service, database, sealer);
  const outbound = createOutbound({ denied: config.deniedCidrs, allowed: config.allowedCidrs, privateNetworks: true });
  const atContracts = { ...peers, name: 'contracts-licensing', addresses: config.contractsLicensing };
  const orgsTeams = { ...peers, name: 'orgs-teams', addresses: config.orgsTeams };
  const parts: Parts = {
    config, database, write, sealer, outbound,
    hubs: service.stack.use(openHubs({ database, sealer, write, outbound })),
    definitions: await readDefinitions(),
    users: service.stack.use(connect(AdminServiceService, orgsTeams)),
    clientAccounts: service.stack.use(connect(ClientOrganizationAdminServiceService, orgsTeams)),
    accounts: service.stack.use(openAccounts(peers, config.orgsTeams)),
    contracts: service.stack.use(connect(ContractLookupServiceService, atContracts)),
  };
  await openJobs(service, config, database, {
    tasks: [advanceClient.handledBy(({ id }, job) => advance(parts, id, job))],
    schedules: [
      { name: 'audit-retention', everyMs: 3_600_000, run: (job) => applyRetention(database, config.auditKeep, job) },
      { name: 'old-kept-answers', everyMs: 3_600_000, run: (job) => deleteOldAnswers(database, job) },
      { name: 'lost-clusters', everyMs: 300_000, run: (job) => noteLostClusters(database, job) },
      { name: 'client-organizations', everyMs: 600_000, run: (job) => advanceAll(database, job) },
      { name: 'expired-probes', everyMs: 600_000, run: (job) => removeProbes(parts, job) },
      { name: 'deleted-client-organizations', everyMs: 3_600_000, run: (job) => deleteOldClients(database, job) },
    ],
  });
  const followed = followFacts(service, database, config.billingDashboard === undefined ? [] : [{
    from: 'billing-dashboard',
    client: service.stack.use(connect(
      FactServiceService, { ...peers, name: 'billing-dashboard', addresses: config.billingDashboard },
    )),
    kinds: { cluster_contact: applyClusterContacts },
  }]);
  handOverEvents(service, database, service.stack.use(connect(EventServiceService, orgsTeams)));
  const services = [
    ownerService(database, clusterTable), ...methods(parts), publishFacts(service, database, followed), leases.service,
  ];
  return openRpc(service, config, {
    ...peers, guard, services, rateLimiter, told: leases.told,
    kept: createKeptAnswers(database, config.encryptionKeys),
  });
};
