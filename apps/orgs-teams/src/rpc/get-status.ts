import type { AdminServiceService } from '@platform/proto/orgs/v1/admin';
import { appliedMigrations } from '@platform/postgres';
import type { Handler } from '@platform/rpc';
import { platformVersion } from '@platform/service';
import type { Parts } from '../parts.ts';
import { findAdministration } from '../reports/administration.ts';
import { readStatus } from '../reports/status.ts';

/** What `platform doctor` asks of this service. */
export function getStatus({ database, projection }: Parts): Handler<typeof AdminServiceService.getStatus> {
  return async (_request, { deadline }) => {
    const [status, migrations, administration] = await Promise.all([
      readStatus(database, deadline), appliedMigrations(database, deadline), findAdministration(database),
    ]);
    return {
      ...status,
      version: platformVersion,
      migrations,
      failingUnits: projection.failing().map((unit) => ({ ...unit })),
      administrativeOrganization: administration?.slug ?? '',
    };
  };
}
