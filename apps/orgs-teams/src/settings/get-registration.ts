import type { SettingsServiceService } from '@platform/proto/orgs/v1/settings';
import type { Handler } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { readSignUpPolicy } from './store.ts';

/** GET /disable-registration (spec §4.8). */
export function getRegistration({ database }: Parts): Handler<typeof SettingsServiceService.getRegistration> {
  return async (_request, { deadline }) => {
    const { registrationDisabled } = await readSignUpPolicy(database, deadline);
    return { disableRegistration: registrationDisabled };
  };
}
