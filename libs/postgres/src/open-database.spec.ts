import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { openService, readConfig, servicePicks } from '@platform/service';
import { tcpProxy, testDatabase, type TestDatabase, until } from '@platform/testing';
import { connect } from './connect.ts';
import { openDatabase, postgresPicks } from './open-database.ts';
import { sql } from './sql.ts';

/** A service that only opens its database. */
function open({ url, schema }: Pick<TestDatabase, 'url' | 'schema'>, stopping: AbortSignal): Promise<AsyncDisposable> {
  const environment = { PLATFORM_POSTGRES_URL: url, PLATFORM_LOG_LEVEL: 'fatal' };
  const config = readConfig({ ...servicePicks, ...postgresPicks }, { environment });
  const migrations = pathToFileURL(mkdtempSync(join(tmpdir(), 'migrations-')));
  return openService('spec', config, stopping, async (service) => {
    await openDatabase(service, config, { schema, migrations });
    return {};
  });
}

describe('openDatabase', () => {
  it('waits no longer for a PostgreSQL that does not answer when the service is to stop', async () => {
    const { url, schema } = await testDatabase('postgres-spec');
    const distant = new URL(url);
    const postgres = await tcpProxy(distant.host);
    distant.host = postgres.address;
    postgres.hold();
    const stopping = new AbortController();
    const opened = expect(open({ url: distant.href, schema }, stopping.signal)).rejects
      .toMatchObject({ name: 'PostgresUnavailable', outcome: 'none' });
    await until(() => postgres.connections.total, { what: 'the start asks PostgreSQL' });

    stopping.abort(new Error('the service stops'));

    await opened;
  });

  it('waits no longer for another replica that migrates when the service is to stop', async () => {
    const place = await testDatabase('postgres-spec');
    await using database = connect({ url: place.url, applicationName: 'spec' });
    const stopping = new AbortController();
    await database.transact(async (transaction) => {
      await transaction.query(
        sql`select pg_advisory_xact_lock(hashtextextended('platform.migrate.' || ${place.schema}, 0))`,
      );
      const opened = expect(open(place, stopping.signal)).rejects.toMatchObject({ reason: 'LOCKED' });
      const asked = sql<{ asked: boolean }>`
        select exists (select from pg_stat_activity
          where datname = current_database() and query like '%pg_try_advisory_lock%' and pid <> pg_backend_pid())
          as "asked"`;
      await until(async () => (await database.one(asked)).asked, { what: 'it waits' });

      stopping.abort(new Error('the service stops'));

      await opened;
    });
  });
});
