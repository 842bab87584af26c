import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { findServers, freePorts, openState, planPostgres, removeState, start } from '@platform/backing';
import { until } from '@platform/testing';
import { connect } from './connect.ts';
import { PostgresUnavailable } from './errors.ts';
import { sql } from './sql.ts';

describe('a restarted server', () => {
  it('under load: unavailable meanwhile, right afterwards, no connection leaked', async () => {
    // This spec needs its own server, because other specs use the shared one.
    const { PLATFORM_POSTGRES_URL: _other, ...environment } = process.env;
    const { postgres: source } = await findServers({ environment, report: () => undefined });
    if (source.kind !== 'binary') throw new TypeError('PostgreSQL cannot be started here');
    const home = await mkdtemp(join(tmpdir(), 'platform-restart-'));
    await chmod(home, 0o711);
    const state = await openState(home);
    const [port] = await freePorts(1);
    if (port === undefined) throw new TypeError('no port is free');
    const begin = () =>
      start(() => planPostgres({ source, state, port, volatile: true }), { logFile: state.logFile('postgres') });

    let started = await begin();
    try {
      await using database = connect({ url: started.plan.superuserUrl, applicationName: 'spec', maxConnections: 5 });
      await database.execute(sql`create table counter (value int8 not null)`);
      await database.execute(sql`insert into counter values (0)`);

      let stopped = false;
      const outcomes = { done: 0, none: 0, unknown: 0 };
      const worker = async (): Promise<void> => {
        while (!stopped) {
          try {
            await database.transact((transaction) => transaction.execute(sql`update counter set value = value + 1`));
            outcomes.done += 1;
          } catch (error) {
            if (!(error instanceof PostgresUnavailable)) throw error;
            outcomes[error.outcome] += 1;
          }
        }
      };
      const workers = Promise.all(Array.from({ length: 8 }, worker));
      await until(() => outcomes.done > 20, { what: 'the load runs' });

      await started.server.stop();
      await until(() => outcomes.none > 20, { what: 'calls are refused' });
      started = await begin();
      const before = outcomes.done;
      await until(() => outcomes.done > before + 20, { what: 'calls succeed again' });
      stopped = true;
      await workers;

      const { value } = await database.one<{ value: number }>(sql`select value from counter`);
      expect(value).toBeGreaterThanOrEqual(outcomes.done);
      expect(value).toBeLessThanOrEqual(outcomes.done + outcomes.unknown);
      expect(database.pool).toMatchObject({ waiting: 0 });
      expect(database.pool.idle).toBe(database.pool.open);
    } finally {
      await started.server.stop();
      await removeState(home);
    }
  }, 90_000);
});
