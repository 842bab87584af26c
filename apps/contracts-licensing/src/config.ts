import { filePicks } from '@platform/files';
import { leasePicks } from '@platform/leases';
import { listPicks } from '@platform/lists';
import { mailPicks } from '@platform/mail';
import { postgresPicks } from '@platform/postgres';
import { guardPicks, rpcPicks } from '@platform/rpc';
import { baseUrlPicks, type Config as Picked, optional, servicePicks } from '@platform/service';

export const picks = {
  ...servicePicks,
  ...postgresPicks,
  ...rpcPicks,
  ...guardPicks,
  ...leasePicks,
  ...listPicks,
  ...mailPicks,
  ...filePicks,
  ...baseUrlPicks,
  encryptionKeys: 'secrets.encryptionKeys',
  licenseCa: optional('license.ca'),
  licenseKeyType: 'license.keyType',
  licenseEmailDomain: 'license.emailDomain',
  licenseTrial: 'license.trial',
  licenseSelfRegistration: 'license.selfRegistration',
  licenseRegisterReply: 'license.registerReply',
  licenseProxyChart: 'licenseProxy.chart',
  licenseProxyNamespace: 'licenseProxy.namespace',
  auditKeep: 'audit.keep',
  clustersUnproven: 'clusters.unproven',
  clusters: optional('services.clusters'),
  billingDashboard: optional('services.billingDashboard'),
} as const;

export type Config = Picked<typeof picks>;

/** Whether clusters without a contract can get a trial licence (open-points 6.2). */
export function givesTrials({ licenseTrial, deploymentType }: Config): boolean {
  return licenseTrial === 'auto' ? deploymentType === 'Hosted' : licenseTrial === 'on';
}

const demonstrations: readonly Config['deploymentType'][] = ['CloudDemo', 'OnpremDemo', 'KubeAppDemo'];

/** Whether clusters may register their licences themselves (open-points 6.3). */
export function permitsRegistration({ licenseSelfRegistration, deploymentType }: Config): boolean {
  if (licenseSelfRegistration !== 'auto') return licenseSelfRegistration === 'on';
  return !demonstrations.includes(deploymentType);
}
