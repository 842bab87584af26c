import type { GetStatusRequest, GetStatusResponse } from '@platform/proto/orgs/v1/admin';
import type { Handler } from '@platform/rpc';
import { platformVersion } from '@platform/service';
import { toTime } from '../convert.ts';
import type { Parts } from '../parts.ts';
import { findAdministration } from '../reports/administration.ts';
import { readMigrations, readStatus } from '../reports/status.ts';

/** What `platform doctor` asks of this service. */
export function getStatus({ database, projection }: Parts): Handler<GetStatusRequest, GetStatusResponse> {
  return async (_request, { deadline }) => {
    const [status, migrations, administration] = await Promise.all([
      readStatus(database, deadline), readMigrations(database, deadline), findAdministration(database),
    ]);
    return {
      ...status,
      version: platformVersion,
      migrations: migrations.map(({ name, appliedAt }) => ({ name, appliedAt: toTime(appliedAt) })),
      failingUnits: projection.failing().map((unit) => ({ ...unit })),
      administrativeOrganization: administration?.slug ?? '',
    };
  };
}
