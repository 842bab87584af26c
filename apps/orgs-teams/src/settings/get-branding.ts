import type { Branding, SettingsServiceService } from '@platform/proto/orgs/v1/settings';
import type { Handler } from '@platform/rpc';
import type { Config } from '../config.ts';
import type { Parts } from '../parts.ts';
import type { BuiltInPictures } from '../pictures/built-in.ts';
import { readDataUri } from '../pictures/data-uri.ts';
import { createReadBranding } from './branding.ts';
import type { BrandingColumns } from './store.ts';

/** The branding as the API shows it (spec §2.7, open-points 10): unset values get their defaults. */
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

/** GET /branding (spec §4.8, open-points 10). */
export function getBranding({ config, database, builtIn }: Parts): Handler<typeof SettingsServiceService.getBranding> {
  const readBranding = createReadBranding(database);
  // The start of the service counts as a change, because defaults and settings may have changed. Subtract a second, so
  // that a change in the same second counts as later.
  const startedUnix = Math.floor(Date.now() / 1000) - 1;
  return async (_request, { deadline }) => {
    const [row, pictures] = await Promise.all([readBranding(deadline), builtIn()]);
    return { branding: toBranding(row, pictures, config), updatedUnix: Math.max(row.changedUnix, startedUnix) };
  };
}

/** Returns the app name, the primary colour, and the logo converted to a PNG. Other services use them in documents. */
export function getLetterhead(
  { config, database, images, builtIn }: Parts,
): Handler<typeof SettingsServiceService.getLetterhead> {
  const readBranding = createReadBranding(database);
  return async (_request, { deadline }) => {
    const [row, pictures] = await Promise.all([readBranding(deadline), builtIn()]);
    const { appName, primaryColor, logo } = toBranding(row, pictures, config);
    return { appName, primaryColor, logo: await images.within(readDataUri(logo)!, 720, 240, deadline) };
  };
}
