import { sql } from '@platform/postgres';
import type { SettingsServiceService } from '@platform/proto/orgs/v1/settings';
import type { Handler } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { isRegistrationDisabled } from './store.ts';

/** GET /disable-registration (spec §4.8). */
export function getRegistration({ database }: Parts): Handler<typeof SettingsServiceService.getRegistration> {
  return async (_request, { deadline }) => ({ disableRegistration: await isRegistrationDisabled(database, deadline) });
}

/** POST /disable-registration (spec §4.8, open-points 10). A request without `disableRegistration` changes nothing. */
export function updateRegistration({ write }: Parts): Handler<typeof SettingsServiceService.updateRegistration> {
  return async ({ registration }, context) => {
    const disabled = registration?.disableRegistration;
    return write(context, [], async (work) => {
      const changed = disabled === undefined ? 0 : await work.execute(sql`
        update site_setting set registration_disabled = ${disabled} where registration_disabled <> ${disabled}`);
      const details = { disableRegistration: disabled };
      if (changed > 0) work.audit({ action: 'settings.update_registration', object: 'site:main', details });
      return { disableRegistration: await isRegistrationDisabled(work, context.deadline) };
    });
  };
}
