import type { AdminServiceService } from '@platform/proto/orgs/v1/admin';
import type { Handler } from '@platform/rpc';
import { findAdministration } from '../accounts/administration.ts';
import type { Parts } from '../parts.ts';
import { readStatus } from './reports.ts';

/** The state of accounts and of the projection, for `platform doctor`. */
export function getStatus({ database, projection }: Parts): Handler<typeof AdminServiceService.getStatus> {
  return async (_request, { deadline }) => {
    const [status, administration] = await Promise.all([readStatus(database, deadline), findAdministration(database)]);
    return {
      ...status,
      failingUnits: projection.failing().map((unit) => ({ ...unit })),
      administrativeOrganization: administration?.slug ?? '',
    };
  };
}
