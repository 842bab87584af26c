import { leasePicks } from '@platform/leases';
import { postgresPicks } from '@platform/postgres';
import { guardPicks, rpcPicks } from '@platform/rpc';
import { type Config as Picked, optional, servicePicks } from '@platform/service';

export const picks = {
  ...servicePicks, ...postgresPicks, ...rpcPicks, ...guardPicks, ...leasePicks,
  clusters: 'services.clusters',
  listen: 'metricsproxy.listen',
  stopSilence: 'stop.silence',
  encryptionKeys: 'secrets.encryptionKeys',
  baseUrl: optional('http.baseURL'),
  publicUrl: optional('metricsproxy.publicURL'),
  tenantPrefix: 'metricsproxy.tenantPrefix',
  deniedCidrs: 'metricsproxy.deniedCIDRs',
  allowedCidrs: 'metricsproxy.allowedCIDRs',
  flavoraUrl: optional('flavora.url'),
  flavoraPublicUrl: optional('flavora.publicURL'),
  flavoraCredential: optional('flavora.credential'),
  flavorbUrl: optional('flavorb.url'),
  flavorbPublicUrl: optional('flavorb.publicURL'),
  flavorbCredential: optional('flavorb.credential'),
} as const;

export type Config = Picked<typeof picks>;
