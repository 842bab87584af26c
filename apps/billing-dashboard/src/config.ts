import { listPicks } from '@platform/lists';
import { postgresPicks } from '@platform/postgres';
import { guardPicks, rpcPicks } from '@platform/rpc';
import { type Config as Picked, optional, servicePicks } from '@platform/service';

export const picks = {
  ...servicePicks, ...postgresPicks, ...rpcPicks, ...guardPicks, ...listPicks,
  clusters: 'services.clusters',
  contractsLicensing: 'services.contractsLicensing',
  natsUrl: optional('nats.url'),
  natsCredentials: optional('nats.credentials'),
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
