import { createOidcProvider, type OidcProvider } from '@platform/oidc';
import { notFound } from '@platform/faults';
import type { OidcProviderSetting } from '@platform/service';
import type { Config } from '../config.ts';

/** A configured OpenID Connect provider. `protocol` signs users in at this provider. */
export interface ReadyProvider {
  readonly setting: OidcProviderSetting;
  readonly protocol: OidcProvider;
}

/** The providers by name, in the order of the settings. */
export type Providers = ReadonlyMap<string, ReadyProvider>;

export function openProviders({ oidc = [], baseUrl, runMode }: Config): Providers {
  return new Map(oidc.map((setting) => {
    const redirectUri = `${baseUrl}/auth/oidc/${setting.name}/callback`;
    const protocol = createOidcProvider(setting, { redirectUri, withLoopback: runMode === 'dev' });
    return [setting.name, { setting, protocol }] as const;
  }));
}

/** @throws Fault NOT_FOUND */
export function providerOf(providers: Providers, name: string): ReadyProvider {
  const provider = providers.get(name);
  if (provider === undefined) throw notFound(`there is no provider ${name}`);
  return provider;
}
