import { sql } from '@platform/postgres';
import type { AdminServiceService, GetStatusResponse } from '@platform/proto/orgs/v1/admin';
import type { VersionServiceService } from '@platform/proto/version/v1/version';
import type { Handler } from '@platform/rpc';
import { platformVersion } from '@platform/service';
import { invalidValue } from '@platform/values';
import { findAdministration } from '../accounts/administration.ts';
import type { Parts } from '../parts.ts';
import { findDrift } from '../projection/drift.ts';

/**
 * GET /admin/status and `platform doctor`: returns the state of the pending writes to OpenFGA, the number of site
 * admins who may sign in, and the administrative organization.
 */
export function getStatus({ database, projection }: Parts): Handler<typeof AdminServiceService.getStatus> {
  return async (_request, { deadline }) => {
    const reading = database.one(sql<Omit<GetStatusResponse, 'failingUnits' | 'administrativeOrganization'>>`
      select (select count(*) from projection_pending) as "pendingUnits",
             coalesce(
               (select greatest(0, extract(epoch from now() - min(created_at)))::bigint from projection_pending), 0
             ) as "oldestPendingSeconds",
             (select count(*) from account where is_admin and active and not prohibit_login) as "siteAdmins"`,
    { deadline });
    const [status, administration] = await Promise.all([reading, findAdministration(database)]);
    return {
      ...status,
      failingUnits: projection.failing().map((unit) => ({ ...unit })),
      administrativeOrganization: administration?.slug ?? '',
    };
  };
}

const usualLimit = 100;

/** `platform doctor`. */
export function checkDrift(parts: Parts): Handler<typeof AdminServiceService.checkDrift> {
  return async ({ organizationId, limit }, context) => {
    if (organizationId < 0) {
      throw invalidValue([{ path: 'organizationId', message: 'must be the id of an organization, or 0 for all' }]);
    }
    return findDrift(parts, organizationId, limit <= 0 ? usualLimit : limit, context);
  };
}

/** GET /version (open-points 14). */
export function getVersion(): Handler<typeof VersionServiceService.getVersion> {
  return async () => ({ version: platformVersion });
}
