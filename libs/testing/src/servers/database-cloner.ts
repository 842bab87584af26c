import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { setUpJobs } from '@platform/jobs';
import {
  connect, createDatabaseFromTemplate, dropDatabase, migrate, openClientPool, provision, readMigrationFiles, sql,
} from '@platform/postgres';
import type { ClonedDatabase } from './keeper-protocol.ts';

export interface DatabaseCloner {
  /** Creates a database with the schema of one service. The first call for a set of migrations creates the template. */
  clone(service: string, migrations: string): Promise<ClonedDatabase>;
  /** Drops one database; a missing database is not an error. */
  drop(name: string): Promise<void>;
  /** Adds a database and its role, which were created elsewhere, to those that `dropAll` removes. */
  adopt(database: string, role: string): void;
  /** Drops every database and role of this run. */
  dropAll(): Promise<void>;
}

/** A migrated database to clone. Its URL has the role of the service. */
type Template = Omit<ClonedDatabase, 'superuserUrl'>;

/**
 * Databases of one run, cloned from templates that are migrated once (`CREATE DATABASE … TEMPLATE …`, about 20 ms).
 * @param run prefix of every name, so that concurrent runs can share a server
 */
export function databaseCloner({ superuserUrl, run }: { superuserUrl: string; run: string }): DatabaseCloner {
  const templates = new Map<string, Promise<Template>>();
  const databases = new Set<string>();
  const roles = new Set<string>();
  let count = 0;

  async function makeTemplate(service: string, migrations: string): Promise<Template> {
    const name = `${run}_t${templates.size}`;
    databases.add(name);
    const [access] = await provision({ superuserUrl, database: name, services: [{ service }] });
    if (access === undefined) throw new Error(`provision made no role for ${service}`);
    const { role, schema } = access;
    roles.add(role);
    const url = access.url.reveal();
    if (existsSync(migrations)) {
      await migrate({ url, directory: migrations, schema });
      await prepareJobs(url, schema);
    }
    return { name, url, schema };
  }

  async function clone(service: string, migrations: string): Promise<ClonedDatabase> {
    const key = `${service} ${await migrationHash(migrations)}`;
    const making = templates.get(key) ?? makeTemplate(service, migrations);
    templates.set(key, making);
    const template = await making;
    count += 1;
    const name = `${run}_${service.replaceAll('-', '_')}_${count}`;
    databases.add(name);
    await createDatabaseFromTemplate({ superuserUrl, template: template.name, name });
    return { name, url: named(template.url, name), superuserUrl: named(superuserUrl, name), schema: template.schema };
  }

  async function drop(name: string): Promise<void> {
    await dropDatabase({ superuserUrl, name });
    databases.delete(name);
  }

  async function dropAll(): Promise<void> {
    for (const name of [...databases]) await drop(name);
    await using superuser = connect({ url: superuserUrl, applicationName: 'platform-test' });
    for (const role of roles) await superuser.execute(sql`drop role if exists ${sql.identifier(role)}`);
  }

  function adopt(database: string, role: string): void {
    databases.add(database);
    roles.add(role);
  }

  return { clone, drop, adopt, dropAll };
}

/** Sets up the tables of jobs. Otherwise each service with jobs would do this at its start, for a second or two. */
async function prepareJobs(url: string, schema: string): Promise<void> {
  const options = { url, schema, applicationName: 'platform-test' };
  await using database = connect(options);
  const pool = openClientPool(options);
  try {
    await setUpJobs(database, pool);
  } finally {
    await pool.end();
  }
}

/** Hash over the names and texts of all migrations, so that an edit while jest watches leads to a new template. */
async function migrationHash(directory: string): Promise<string> {
  const files = existsSync(directory) ? await readMigrationFiles(directory) : [];
  return hash('sha256', [directory, ...files.map(({ name, checksum }) => `${name} ${checksum}`)].join('\n'));
}

function named(url: string, database: string): string {
  return Object.assign(new URL(url), { pathname: `/${database}` }).href;
}
