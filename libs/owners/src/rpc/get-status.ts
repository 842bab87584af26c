import { appliedMigrations, type Database } from '@platform/postgres';
import type { GetServiceStatusRequest, ServiceStatus } from '@platform/proto/status/v1/status';
import type { Handler } from '@platform/rpc';
import { platformVersion } from '@platform/service';

/** What `platform doctor` asks of this service. */
export function getStatus(database: Database): Handler<GetServiceStatusRequest, ServiceStatus> {
  return async (_request, { deadline }) => {
    return { version: platformVersion, migrations: await appliedMigrations(database, deadline) };
  };
}
