import type { Branding } from '@platform/proto/orgs/v1/settings';
import type { Config } from '../config.ts';
import type { BuiltInPictures } from '../pictures/built-in.ts';
import type { BrandingColumns } from './store.ts';

/** The branding as the API shows it (spec §2.7, open-points 10): a value that is not set has its default. */
export function toBranding(columns: BrandingColumns, builtIn: BuiltInPictures, config: Config): Branding {
  return {
    logo: columns.logo ?? builtIn.logo,
    favicons: { ...(columns.favicons ?? builtIn.favicons) },
    primaryColor: columns.primaryColor ?? '#2563eb',
    runMode: config.runMode,
    deploymentType: config.deploymentType,
    isOfflineInstaller: config.offlineInstaller,
    showAppTag: columns.showAppTag ?? true,
    appName: columns.appName ?? 'Platform',
  };
}
