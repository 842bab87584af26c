import { handOverEvents } from '@platform/facts';
import { addJobs, openJobs, runNow } from '@platform/jobs';
import { openLeaseBus, openRemoteGuard } from '@platform/leases';
import { openMailer } from '@platform/mail';
import { openAccounts } from '@platform/owners';
import { openDatabase, untilAvailable } from '@platform/postgres';
import { UsageLookupServiceService } from '@platform/proto/billing/v1/lookup';
import { SubscriptionContractServiceService } from '@platform/proto/contracts/v1/subscription';
import { ClaimServiceService } from '@platform/proto/orgs/v1/claim';
import { EventServiceService } from '@platform/proto/orgs/v1/event';
import { connect, deploymentOf, openPeers, openRateLimiter, openRpc } from '@platform/rpc';
import { createSealer, type Start } from '@platform/service';
import { hasListener } from '@platform/surface';
import { createLocks, createWrite, remoteAdmission, reportLostKeys } from '@platform/writes';
import type { Config } from './config.ts';
import { serveListener } from './listener/serve-listener.ts';
import { createAddressList } from './metering/address-list.ts';
import { createCircuitBreaker } from './metering/circuit-breaker.ts';
import { methods } from './methods.ts';
import type { Parts } from './parts.ts';
import { openProviders } from './providers/open-providers.ts';
import { fetchRanges, work } from './work.ts';

export { picks } from './config.ts';

/** Pause in milliseconds before the next usage report to a receiver that did not answer in time. */
const breakMs = 60_000;

export const start: Start<Config> = async (service, config) => {
  const migrations = new URL('../migrations/', import.meta.url);
  const database = await openDatabase(service, config, { schema: 'marketplace_listener', migrations });
  const peers = await openPeers(service, config);
  const { stack } = service;
  const rateLimiter = openRateLimiter(service, config);
  const guard = openRemoteGuard(service, config, peers, {
    bus: openLeaseBus(service, config), rateLimiter, objects: {},
  });
  const orgsTeams = { ...peers, name: 'orgs-teams', addresses: config.orgsTeams };
  const atContracts = { ...peers, name: 'contracts-licensing', addresses: config.contractsLicensing };
  const atBilling = { ...peers, name: 'billing-dashboard', addresses: config.billingDashboard };
  const providers = openProviders(config);
  const addressList = createAddressList(database, config.providerARangesUrl);
  const sealer = createSealer(config.encryptionKeys);
  reportLostKeys(service, database, sealer);
  const parts: Parts = {
    config, service, peers, database, guard, sealer,
    write: createWrite({ database, locks: createLocks([]), admission: remoteAdmission(guard) }),
    claims: stack.use(connect(ClaimServiceService, orgsTeams)),
    contracts: stack.use(connect(SubscriptionContractServiceService, atContracts)),
    owners: stack.use(openAccounts(peers, config.orgsTeams)),
    usage: stack.use(connect(UsageLookupServiceService, atBilling)),
    providers, addressList,
    breaker: createCircuitBreaker(breakMs),
  };
  handOverEvents(service, database, stack.use(connect(EventServiceService, orgsTeams)));
  await openJobs(service, config, database, work(parts, openMailer(config)));
  await untilAvailable(service, () => addJobs(database, [runNow(fetchRanges)]));
  const { grpc } = await openRpc(service, config, { ...peers, guard, services: methods(parts), rateLimiter });
  if (!hasListener(deploymentOf(config))) return { grpc };
  const listener = await serveListener(parts, grpc, rateLimiter);
  return { grpc, listener: listener.address };
};
