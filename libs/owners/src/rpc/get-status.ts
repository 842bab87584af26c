import { appliedMigrations, type Database } from '@platform/postgres';
import type { GetServiceStatusRequest, ServiceStatus } from '@platform/proto/status/v1/status';
import type { CallContext } from '@platform/rpc';
import { platformVersion } from '@platform/service';

/** What `platform doctor` asks of this service. */
export function getStatus(database: Database) {
  return async (_request: GetServiceStatusRequest, { deadline }: CallContext): Promise<ServiceStatus> => {
    return { version: platformVersion, migrations: await appliedMigrations(database, deadline) };
  };
}
