import type { SettingsServiceService } from '@platform/proto/orgs/v1/settings';
import type { Handler } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { isRegistrationDisabled, updateRegistration as update } from './store.ts';

/** GET /disable-registration (spec §4.8). */
export function getRegistration({ database }: Parts): Handler<typeof SettingsServiceService.getRegistration> {
  return async (_request, { deadline }) => ({ disableRegistration: await isRegistrationDisabled(database, deadline) });
}

/** POST /disable-registration (spec §4.8, open-points 10). A request without the field changes nothing. */
export function updateRegistration({ write }: Parts): Handler<typeof SettingsServiceService.updateRegistration> {
  return async ({ registration }, context) => {
    const wanted = registration?.disableRegistration;
    return write(context, [], async (work) => {
      if (wanted !== undefined && (await update(work, wanted))) {
        const details = { disableRegistration: wanted };
        work.audit({ action: 'settings.update_registration', object: 'site:main', details });
      }
      return { disableRegistration: await isRegistrationDisabled(work, context.deadline) };
    });
  };
}
