import { filePicks } from '@platform/files';
import { listPicks } from '@platform/lists';
import { mailPicks } from '@platform/mail';
import { postgresPicks } from '@platform/postgres';
import { guardPicks, rpcPicks } from '@platform/rpc';
import { baseUrlPicks, type Config as Picked, optional, servicePicks } from '@platform/service';

/** The settings this service reads. */
export const picks = {
  ...servicePicks,
  ...postgresPicks,
  ...rpcPicks,
  ...guardPicks,
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
  clusters: optional('services.clusters'),
  billingDashboard: optional('services.billingDashboard'),
} as const;

export type Config = Picked<typeof picks>;
