import { leasePicks } from '@platform/leases';
import { listPicks } from '@platform/lists';
import { postgresPicks } from '@platform/postgres';
import { guardPicks, rpcPicks } from '@platform/rpc';
import { type Config as Picked, servicePicks } from '@platform/service';

export const picks = {
  ...servicePicks, ...postgresPicks, ...rpcPicks, ...guardPicks, ...leasePicks, ...listPicks,
  clusters: 'services.clusters',
  contractsLicensing: 'services.contractsLicensing',
  busShards: 'bus.shards',
  eventsPerSecond: 'bus.shares.eventsPerSecond',
  bytesPerSecond: 'bus.shares.bytesPerSecond',
  waitingBytes: 'bus.shares.waitingBytes',
  keptEvents: 'bus.shares.keptEvents',
  keptBytes: 'bus.shares.keptBytes',
  parkedEvents: 'bus.shares.parkedEvents',
  parkedBytes: 'bus.shares.parkedBytes',
  encryptionKeys: 'secrets.encryptionKeys',
  auditKeep: 'audit.keep',
  lateChanges: 'usage.lateChanges',
} as const;

export type Config = Picked<typeof picks>;
