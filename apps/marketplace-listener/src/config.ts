import { leasePicks } from '@platform/leases';
import { listPicks } from '@platform/lists';
import { mailPicks } from '@platform/mail';
import { postgresPicks } from '@platform/postgres';
import { guardPicks, rpcPicks } from '@platform/rpc';
import { baseUrlPicks, type Config as Picked, optional, servicePicks } from '@platform/service';

export const picks = {
  ...servicePicks, ...postgresPicks, ...rpcPicks, ...guardPicks, ...leasePicks, ...listPicks, ...mailPicks,
  ...baseUrlPicks,
  providerAAllowedCidrs: 'marketplace.providera.allowedCIDRs',
  providerARangesUrl: optional('marketplace.providera.rangesURL'),
  providerARegion: 'marketplace.providera.region',
  providerAProductCode: optional('marketplace.providera.productCode'),
  providerAAccessKey: optional('marketplace.providera.accessKey'),
  providerASecretKey: optional('marketplace.providera.secretKey'),
  providerAMeteringUrl: optional('marketplace.providera.meteringURL'),

  providerBSecret: optional('marketplace.providerb.secret'),
  providerBTenantId: optional('marketplace.providerb.tenantID'),
  providerBClientId: optional('marketplace.providerb.clientID'),
  providerBClientSecret: optional('marketplace.providerb.clientSecret'),
  providerBClientSecretExpires: optional('marketplace.providerb.clientSecretExpires'),
  providerBTokenUrl: optional('marketplace.providerb.tokenURL'),
  providerBResourceUrl: optional('marketplace.providerb.resourceURL'),
  providerBMeteringUrl: optional('marketplace.providerb.meteringURL'),

  providerCSecret: optional('marketplace.providerc.secret'),
  providerCTestInstallerId: optional('marketplace.providerc.testInstallerId'),
  providerCCredential: optional('marketplace.providerc.credential'),
  providerCServiceName: optional('marketplace.providerc.serviceName'),
  providerCConsumerId: optional('marketplace.providerc.consumerId'),
  providerCServiceControlUrl: optional('marketplace.providerc.serviceControlURL'),

  host: 'http.host',
  port: 'marketplace.listener.port',
  stopSilence: 'stop.silence',
  requestTimeout: 'http.requestTimeout',
  encryptionKeys: 'secrets.encryptionKeys',
  contractsLicensing: 'services.contractsLicensing',
  billingDashboard: 'services.billingDashboard',
  products: 'marketplace.products',
  alertEmails: 'marketplace.alertEmails',
  installerChart: 'marketplace.installer.chart',
  installerNamespace: 'marketplace.installer.namespace',
  centralUrl: optional('marketplace.centralURL'),
} as const;

export type Config = Picked<typeof picks>;
