import { leasePicks } from '@platform/leases';
import { listPicks } from '@platform/lists';
import { postgresPicks } from '@platform/postgres';
import { guardPicks, rpcPicks } from '@platform/rpc';
import { type Config, optional, servicePicks } from '@platform/service';

export const picks = {
  ...servicePicks, ...postgresPicks, ...rpcPicks, ...guardPicks, ...leasePicks, ...listPicks,
  auditKeep: 'audit.keep',
  clustersUnproven: 'clusters.unproven',
  encryptionKeys: 'secrets.encryptionKeys',
  deniedCidrs: 'clusters.deniedCIDRs',
  allowedCidrs: 'clusters.allowedCIDRs',
  labelsDomain: 'labels.domain',
  defaultPreset: 'gateway.defaultPreset',
  runMode: 'run.mode',
  contractsLicensing: 'services.contractsLicensing',
  billingDashboard: optional('services.billingDashboard'),
} as const;

export type ClustersConfig = Config<typeof picks>;
