import { applyClusterContacts, followFacts, handOverEvents, publishFacts } from '@platform/facts';
import { openFiles } from '@platform/files';
import { openJobs } from '@platform/jobs';
import { openLeaseBus, openRemoteGuard } from '@platform/leases';
import { openMailer } from '@platform/mail';
import { findOwners, openAccounts, ownerService } from '@platform/owners';
import { openDatabase, untilAvailable } from '@platform/postgres';
import { FactServiceService } from '@platform/proto/facts/v1/facts';
import { AdminServiceService } from '@platform/proto/orgs/v1/admin';
import { EventServiceService } from '@platform/proto/orgs/v1/event';
import {
  connect, objectsById, observedFields, openPeers, openRateLimiter, openRpc,
} from '@platform/rpc';
import { baseUrlOf, createSealer, type GrpcServiceName, type Start } from '@platform/service';
import { applyRetention, createKeptAnswers, deleteOldAnswers, reportLostKeys } from '@platform/writes';
import { openAuthorities } from './authorities/authorities.ts';
import { createChange } from './change.ts';
import type { Config } from './config.ts';
import { contractTable } from './contracts/store.ts';
import { createDocuments } from './documents/documents.ts';
import { permittedGuard } from './licences/register-licence.ts';
import { createSignatures } from './licences/signatures.ts';
import { createTurns } from './licences/turns.ts';
import { methods } from './methods.ts';
import { notices } from './notices/notices.ts';
import type { Parts } from './parts.ts';
import { readProducts } from './products/products.ts';
import { applyAccounts } from './projections/apply-accounts.ts';
import { applyClusters } from './projections/apply-clusters.ts';
import { applyQuotaUse } from './projections/apply-quota-use.ts';

export { picks } from './config.ts';

export const start: Start<Config> = async (service, config) => {
  const migrations = new URL('../migrations/', import.meta.url);
  const database = await openDatabase(service, config, { schema: 'contracts_licensing', migrations });
  const peers = await openPeers(service, config);
  const rateLimiter = openRateLimiter(service, config);
  const contract = objectsById((ids, { deadline }) => findOwners(database, contractTable, ids, { deadline }));
  const guard = openRemoteGuard(service, config, peers, {
    bus: openLeaseBus(service, config), rateLimiter, objects: { contract },
  });
  const orgsTeams = { ...peers, name: 'orgs-teams', addresses: config.orgsTeams };
  const accounts = service.stack.use(connect(AdminServiceService, orgsTeams));
  const products = readProducts();
  const sealer = createSealer(config.encryptionKeys);
  reportLostKeys(service, database, sealer);
  const change = createChange(database, guard);
  const authorities = await untilAvailable(service, () => openAuthorities(database, {
    change, sealer, keyType: config.licenseKeyType, given: config.licenseCa, log: service.log,
  }));
  const documents = createDocuments(database, service.stack.use(await openFiles(config)), config);
  const parts: Parts = {
    config, log: service.log, database, sealer, products, documents, authorities, accounts, turns: createTurns(),
    signatures: createSignatures(service.metrics),
    observed: observedFields(peers.surface.registry.getMessage('controlplane.contracts.v1.Contract')!),
    change, renew: guard.renew,
    owners: service.stack.use(openAccounts(peers, config.orgsTeams)),
  };
  const { tasks, schedules } = notices(database, products, openMailer(config), baseUrlOf(config));
  await openJobs(service, config, database, {
    tasks,
    schedules: [
      ...schedules,
      documents.schedule,
      { name: 'audit-retention', everyMs: 3_600_000, run: (job) => applyRetention(database, config.auditKeep, job) },
      { name: 'old-kept-answers', everyMs: 3_600_000, run: (job) => deleteOldAnswers(database, job) },
    ],
  });
  const follow = (name: GrpcServiceName, addresses: readonly string[]) =>
    service.stack.use(connect(FactServiceService, { ...peers, name, addresses }));
  const followed = followFacts(service, database, [
    { from: 'orgs-teams', client: follow('orgs-teams', config.orgsTeams), kinds: { account: applyAccounts } },
    ...(config.clusters === undefined
      ? []
      : [{ from: 'clusters', client: follow('clusters', config.clusters), kinds: { cluster: applyClusters } }]),
    ...(config.billingDashboard === undefined ? [] : [{
      from: 'billing-dashboard', client: follow('billing-dashboard', config.billingDashboard),
      kinds: { quota_use: applyQuotaUse, cluster_contact: applyClusterContacts },
    }]),
  ]);
  handOverEvents(service, database, service.stack.use(connect(EventServiceService, orgsTeams)));
  return openRpc(service, config, {
    ...peers,
    guard: permittedGuard(guard, config),
    services: [ownerService(database, contractTable), publishFacts(service, database, followed), ...methods(parts)],
    rateLimiter,
    kept: createKeptAnswers(database, config.encryptionKeys),
  });
};
