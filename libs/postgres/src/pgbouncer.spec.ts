import { expect, it } from '@jest/globals';
import { findPgBouncer, holding, shareOf, tcpProxy, testDatabase, until } from '@platform/testing';
import { connect } from './connect.ts';
import * as proof from './pgbouncer.proof.ts';
import { sql } from './sql.ts';

const startPgBouncer = await findPgBouncer();
if (startPgBouncer === undefined) {
  process.stdout.write('PgBouncer is not tried: Debian has it in the package pgbouncer.\n');
}
const withPgBouncer = startPgBouncer === undefined ? it.skip : it;

withPgBouncer('works behind PgBouncer in session mode', async () => {
  expect(await shareOf(proof, 0.04)).toEqual(holding);
});

withPgBouncer('does not know the outcome of a statement whose server PgBouncer has lost', async () => {
  await using place = await testDatabase('postgres-spec');
  await using proxy = await tcpProxy(place.superuserUrl);
  const superuserUrl = Object.assign(new URL(place.superuserUrl), { host: proxy.address }).href;
  await using pooler = await startPgBouncer!({ mode: 'session', superuserUrl, poolSize: 2 });
  await using database = connect({ url: pooler.through(place.url), applicationName: 'spec behind PgBouncer' });
  await using direct = connect({ url: place.url, applicationName: 'spec' });
  const running = database.query(sql`select pg_sleep(20)`);
  const outcome = expect(running).rejects.toMatchObject({ name: 'PostgresUnavailable', outcome: 'unknown' });
  await until(async () => (await direct.query(sql`
    select from pg_stat_activity where query like 'select pg_sleep(20)%' and datname = current_database()`)).length === 1,
  { what: 'the statement runs', within: 10_000 });

  proxy.cut();

  await outcome;
});
