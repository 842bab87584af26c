import { mkdtempSync, rmSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { testDatabase } from '@platform/testing';
import type { TestDatabase } from '@platform/testing';
import { connect } from './connect.ts';
import { migrate } from './migrate.ts';
import type { MigrateOptions } from './migrate-options.ts';
import { sql } from './sql.ts';

const first = '20261121090000-first.sql';
const second = '20261121090100-second.sql';
const third = '20261121090200-third.sql';

let place: TestDatabase;
let directory: string;
let options: MigrateOptions;

beforeEach(async () => {
  place = await testDatabase('postgres-spec');
  directory = mkdtempSync(join(tmpdir(), 'migrations-'));
  options = { url: place.url, schema: place.schema, directory };
  write(first, 'create table account (id int8 primary key, document jsonb);');
});

function write(name: string, text: string): void {
  writeFileSync(join(directory, name), text);
}

async function tables(): Promise<string[]> {
  await using database = connect({ url: place.url, applicationName: 'spec' });
  const rows = await database.query<{ name: string }>(
    sql`select relname as name from pg_class where relnamespace = ${place.schema}::regnamespace and relkind = 'r'
        and relname not like 'schema_migration%' order by 1`,
  );
  return rows.map(({ name }) => name);
}

describe('migrate', () => {
  it('applies what is missing, in order, once', async () => {
    write(second, "create table team (id int8 primary key);\ncreate index on account ((document ? 'a'));");
    expect(await migrate(options)).toEqual({ applied: [first, second] });
    expect(await migrate(options)).toEqual({ applied: [] });

    write(third, 'create table role (id int8 primary key);');
    expect(await migrate(options)).toEqual({ applied: [third] });
    expect(await tables()).toEqual(['account', 'role', 'team']);
  });

  it('undoes a file that fails, keeps those before it, and says where', async () => {
    write(second, 'create table team (id int8);\ncreate table broken (id nonsense);\n');
    await expect(migrate(options)).rejects.toMatchObject({ name: 'MigrationFailed', file: second, line: 2 });
    expect(await tables()).toEqual(['account']);

    write(second, 'create table team (id int8);');
    expect(await migrate(options)).toEqual({ applied: [second] });
  });

  it('runs a file without a transaction where it says so', async () => {
    write(
      second,
      '-- Big table.\n-- no transaction\ncreate index concurrently if not exists by_document on account (document);',
    );
    expect(await migrate(options)).toEqual({ applied: [first, second] });
    expect(await migrate(options)).toEqual({ applied: [] });
  });

  it('takes the text of a file that it includes, and refuses one that has changed or is gone', async () => {
    mkdirSync(join(directory, 'shared'));
    write('shared/team.sql', 'create table team (id int8);\n');
    write(second, '-- include: shared/team.sql\nalter table team add column name text;');
    await migrate(options);
    expect(await tables()).toContain('team');
    expect(await migrate(options)).toEqual({ applied: [] });
    write('shared/team.sql', 'create table team (id int4);\n');
    await expect(migrate(options)).rejects.toMatchObject({ reason: 'CHANGED_FILE', subject: second });
    rmSync(join(directory, 'shared/team.sql'));
    await expect(migrate(options)).rejects.toMatchObject({ reason: 'MISSING_INCLUDE', subject: second });
  });

  it('lets one of several replicas migrate while the others wait', async () => {
    write(second, 'select pg_sleep(0.2);');
    const results = await Promise.all(Array.from({ length: 5 }, () => migrate(options)));
    expect(results.flatMap(({ applied }) => applied)).toEqual([first, second]);
  });

  it('goes on after a process was killed while it migrated', async () => {
    await migrate(options);
    await using database = connect({ url: place.url, schema: place.schema, applicationName: 'spec' });
    await database.execute(sql`update schema_migration_lock set is_locked = 1`);
    write(second, 'create table team (id int8);');
    expect(await migrate(options)).toEqual({ applied: [second] });
  });

  it('gives up when another process migrates for too long', async () => {
    await using database = connect({ url: place.url, schema: place.schema, applicationName: 'spec' });
    await database.transact(async (transaction) => {
      await transaction.query(
        sql`select pg_advisory_xact_lock(hashtextextended('platform.migrate.' || ${place.schema}, 0))`,
      );
      await expect(migrate({ ...options, lockTimeout: 100 })).rejects.toMatchObject({ reason: 'LOCKED' });
    });
    expect(await tables()).toEqual([]);
  });

  it('takes a schema that a newer version has added to', async () => {
    write(second, 'create table team (id int8);');
    await migrate(options);
    rmSync(join(directory, second));
    expect(await migrate(options)).toEqual({ applied: [] });
  });

  it('refuses a schema from which a newer version has taken what this one uses, and takes it where it does not', async () => {
    write(second, 'alter table account add column name text;');
    write(third, `-- The name has its own column since then.\n-- contracts: ${second}\nalter table account drop column document;`);
    await migrate(options);
    rmSync(join(directory, third));
    expect(await migrate(options)).toEqual({ applied: [] });
    rmSync(join(directory, second));
    await expect(migrate(options)).rejects.toMatchObject({ reason: 'SCHEMA_FROM_FUTURE', subject: third });
  });

  it('refuses a schema that went on from another state', async () => {
    write(third, 'create table role (id int8);');
    await migrate(options);
    rmSync(join(directory, third));
    write(second, 'create table team (id int8);');
    await expect(migrate(options)).rejects.toMatchObject({ reason: 'SCHEMA_FROM_FUTURE', subject: third });
    expect(await tables()).toEqual(['account', 'role']);
  });

  it.each([
    'drop table account;', 'alter table account drop column document;', 'alter table account rename document to text;',
    'alter table account alter column document set not null;', 'alter table account alter column id type int4;',
  ])('refuses a file that takes away without saying so: %s', async (text) => {
    write(second, text);
    await expect(migrate(options)).rejects.toMatchObject({ reason: 'TAKES_AWAY', subject: second });
    write(second, `-- contracts: ${third}\n${text}`);
    await expect(migrate(options)).rejects.toMatchObject({ reason: 'MISSING_EXPANSION', subject: second });
    write(second, `-- contracts: ${first}\n${text}`);
    expect(await migrate(options)).toEqual({ applied: [first, second] });
  });

  it('refuses a file that was changed after it was applied, but not its line ends', async () => {
    write(first, 'create table account (\nid int8 primary key);');
    await migrate(options);
    write(first, 'create table account (\r\nid int8 primary key);');
    expect(await migrate(options)).toEqual({ applied: [] });
    write(first, 'create table account (\nid int4 primary key);');
    await expect(migrate(options)).rejects.toMatchObject({ reason: 'CHANGED_FILE', subject: first });
  });

  it.each([
    ['BAD_FILE_NAME', 'first.sql'],
    ['BAD_FILE_NAME', '20261121090000_first.sql'],
    ['SAME_TIME', '20261121090000-other.sql'],
  ])('refuses files by name: %s %s', async (reason, name) => {
    write(name, 'select 1;');
    await expect(migrate(options)).rejects.toMatchObject({ reason });
  });

  it('refuses a schema that is not there', async () => {
    await expect(migrate({ ...options, schema: 'elsewhere' })).rejects.toMatchObject({ reason: 'MISSING_SCHEMA' });
  });
});
