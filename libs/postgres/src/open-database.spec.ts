import { copyFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { openService, readConfig, type RunningService, servicePicks } from '@platform/service';
import { tcpProxy, testDatabase, type TestDatabase, until } from '@platform/testing';
import { connect } from './connect.ts';
import { openDatabase, postgresPicks } from './open-database.ts';
import { sql } from './sql.ts';

/** A service that only opens its database. */
function open({ url, schema }: Pick<TestDatabase, 'url' | 'schema'>, stopping: AbortSignal): Promise<RunningService> {
  const environment = { PLATFORM_POSTGRES_URL: url, PLATFORM_LOG_LEVEL: 'fatal' };
  const config = readConfig({ ...servicePicks, ...postgresPicks }, { environment });
  const folder = mkdtempSync(join(tmpdir(), 'migrations-'));
  copyFileSync(new URL('../sql/test-write.sql', import.meta.url), join(folder, '20261128160000-test-write.sql'));
  const migrations = pathToFileURL(folder);
  return openService('spec', config, stopping, async (service) => {
    await openDatabase(service, config, { schema, migrations });
    return {};
  });
}

async function readyz({ addresses }: RunningService) {
  const answer = await fetch(`http://${addresses['admin']!}/readyz`);
  const { checks } = await answer.json() as { checks: { name: string; ok: boolean; reason?: string }[] };
  return { status: answer.status, failed: checks.filter(({ ok }) => !ok).map(({ name, reason }) => [name, reason]) };
}

describe('openDatabase', () => {
  it('makes a service ready that can write, together with other replicas one row in ten seconds', async () => {
    const place = await testDatabase('postgres-spec');
    await using database = connect({ ...place, applicationName: 'spec' });
    const running = new AbortController().signal;
    await using one = await open(place, running);
    await using other = await open(place, running);
    const rows = () => database.query(sql<{ xmin: string }>`select xmin::text from tested_write`);
    expect(await readyz(one)).toEqual({ status: 200, failed: [] });
    const before = await rows();
    expect(before).toHaveLength(1);
    expect(await Promise.all([one, other, one].map(readyz))).toEqual(Array(3).fill({ status: 200, failed: [] }));
    expect(await rows()).toEqual(before);
    await database.execute(sql`update tested_write set written_at = now() - interval '11 s'`);
    expect(await readyz(other)).toEqual({ status: 200, failed: [] });
    const after = await rows();
    expect([after.length, after[0]!.xmin === before[0]!.xmin]).toEqual([1, false]);
  });

  it('makes a service not ready while the server is read-only, also where another replica has just written', async () => {
    const place = await testDatabase('postgres-spec');
    await using superuser = connect({ url: place.superuserUrl, applicationName: 'superuser', maxConnections: 1 });
    await using service = await open(place, new AbortController().signal);
    expect(await readyz(service)).toEqual({ status: 200, failed: [] });
    const renew = sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`;
    const name = sql.identifier(place.name);

    await superuser.execute(sql`alter database ${name} set default_transaction_read_only = on`);
    await superuser.execute(renew);
    await until(async () => (await readyz(service)).status === 503, { what: 'it is not ready' });
    // The pool notices the closed connections one at a time.
    await until(async () => (await readyz(service)).failed.length === 1, { what: 'it is connected again' });
    expect(await readyz(service)).toEqual({ status: 503, failed: [['writes to PostgreSQL', 'the server is read-only']] });

    await superuser.execute(sql`alter database ${name} reset default_transaction_read_only`);
    await superuser.execute(renew);
    await until(async () => (await readyz(service)).status === 200, { what: 'it is ready' });
  });

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
