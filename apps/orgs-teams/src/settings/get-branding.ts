import type { SettingsServiceService } from '@platform/proto/orgs/v1/settings';
import type { Handler } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { createReadBranding } from './branding.ts';
import { toBranding } from './convert.ts';

/** GET /branding (spec §4.8, open-points 10). */
export function getBranding({ config, database, builtIn }: Parts): Handler<typeof SettingsServiceService.getBranding> {
  const readBranding = createReadBranding(database);
  // Defaults and configuration change with a start only. A second earlier: what changes in the same second is later.
  const startedUnix = Math.floor(Date.now() / 1000) - 1;
  return async (_request, { deadline }) => {
    const [row, pictures] = await Promise.all([readBranding(deadline), builtIn()]);
    return { branding: toBranding(row, pictures, config), updatedUnix: Math.max(row.changedUnix, startedUnix) };
  };
}
