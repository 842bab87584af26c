import { ConfigError, environmentName } from '@platform/service';
import type { Config } from '../config.ts';
import { createMeteringOfA, type MeteringOfA } from './a/metering.ts';
import { type ApplicationsOfB, createApplicationsOfB } from './b/managed-applications.ts';
import { createMeteringOfC, type MeteringOfC } from './c/metering.ts';
import { readServiceAccount, type ServiceAccount } from './c/service-account.ts';

/** The clients of the providers; undefined for a provider that is not configured. */
export interface Providers {
  readonly a: MeteringOfA | undefined;
  readonly b: ApplicationsOfB | undefined;
  readonly c: MeteringOfC | undefined;
}

/** Opens the clients. Sends nothing before the first call. @throws ConfigError for an invalid credential */
export function openProviders(config: Config): Providers {
  return { a: meteringOfA(config), b: applicationsOfB(config), c: meteringOfC(config) };
}

function meteringOfA(config: Config): MeteringOfA | undefined {
  const { providerAAccessKey: accessKey, providerASecretKey: secretKey, providerAProductCode: productCode } = config;
  if (accessKey === undefined || secretKey === undefined || productCode === undefined) return undefined;
  const { providerARegion: region, providerAMeteringUrl: meteringUrl } = config;
  return createMeteringOfA({ region, accessKey, secretKey, meteringUrl });
}

function applicationsOfB(config: Config): ApplicationsOfB | undefined {
  const { providerBTenantId: tenantId, providerBClientId: clientId, providerBClientSecret: clientSecret } = config;
  if (tenantId === undefined || clientId === undefined || clientSecret === undefined) return undefined;
  return createApplicationsOfB({
    tenantId, clientId, clientSecret, tokenUrl: config.providerBTokenUrl,
    resourceUrl: config.providerBResourceUrl, meteringUrl: config.providerBMeteringUrl,
  });
}

function meteringOfC(config: Config): MeteringOfC | undefined {
  const { providerCCredential: credential, providerCServiceName: serviceName } = config;
  const account = credential && serviceAccountIn(credential.reveal());
  if (account === undefined || serviceName === undefined || config.providerCConsumerId === undefined) return undefined;
  return createMeteringOfC({
    account, serviceName, consumerId: config.providerCConsumerId, serviceControlUrl: config.providerCServiceControlUrl,
  });
}

function serviceAccountIn(text: string): ServiceAccount {
  try {
    return readServiceAccount(text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const key = 'marketplace.providerc.credential';
    throw new ConfigError([{
      key, where: environmentName(key), found: error.message,
      accepts: 'the content of the JSON key file of a service account',
    }]);
  }
}
