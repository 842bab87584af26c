import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import pg from 'pg';
import { Secret } from '@platform/service';
import { lockProvisioning, withAdministrator } from './administrator.ts';
import { urlWith } from './server-config.ts';
import { quoteIdentifier } from './sql.ts';

export interface ProvisionOptions {
  /** A role that may create roles and databases. */
  readonly superuserUrl: Secret | string;
  /** Made if missing. */
  readonly database: string;
  /** Each gets a schema (its name in snake case) and a role (`{database}_{schema}`). */
  readonly services: readonly ServiceAccess[];
}

export interface ServiceAccess {
  /** E.g. `orgs-teams`. */
  readonly service: string;
  /** Kept by the caller; generated when absent (an existing role then gets the new one). */
  readonly password?: Secret;
}

export interface ProvisionedService {
  readonly service: string;
  readonly schema: string;
  readonly role: string;
  readonly password: Secret;
  /** `postgres://role:password@host:port/database`. */
  readonly url: Secret;
}

export interface ProvisionDatabaseOptions {
  readonly superuserUrl: Secret | string;
  readonly database: string;
  /** Made if missing; owns the database. */
  readonly role: string;
  readonly password?: Secret;
}

/**
 * Makes the database, roles and schemas that are missing. A role can connect to this database and use its own schema,
 * nothing else. May be called again, and by several processes at once.
 */
export async function provision(options: ProvisionOptions): Promise<readonly ProvisionedService[]> {
  const { superuserUrl, database } = options;
  const services = options.services.map(({ service, password }) => {
    return { service, ...placeOf(database, service), password: password ?? newPassword() };
  });
  await withAdministrator(superuserUrl, undefined, async (client) => {
    await lockProvisioning(client);
    await ensureDatabase(client, database);
    for (const { role, password } of services) await ensureRole(client, role, password);
    await client.query(`revoke all on database ${quoteIdentifier(database)} from public`);
    for (const { role } of services) {
      await client.query(
        `grant connect, temporary on database ${quoteIdentifier(database)} to ${quoteIdentifier(role)}`,
      );
    }
  });
  await withAdministrator(superuserUrl, database, async (client) => {
    await lockProvisioning(client);
    await client.query('revoke all on schema public from public');
    for (const { schema, role } of services) {
      const [schemaName, roleIdentifier] = [quoteIdentifier(schema), quoteIdentifier(role)];
      await client.query(`create schema if not exists ${schemaName} authorization ${roleIdentifier}`);
      await client.query(`revoke all on schema ${schemaName} from public`);
    }
  });
  return services.map(({ service, schema, role, password }) => ({
    service,
    schema,
    role,
    password,
    url: new Secret(urlWith(superuserUrl, { database, role, password: password.reveal() })),
  }));
}

/** Makes a role and a database it owns, for a server that brings its own tables (OpenFGA). May be called again. */
export async function provisionDatabase(
  options: ProvisionDatabaseOptions,
): Promise<{ readonly url: Secret; readonly password: Secret }> {
  const { superuserUrl, database, role } = options;
  const password = options.password ?? newPassword();
  await withAdministrator(superuserUrl, undefined, async (client) => {
    await lockProvisioning(client);
    await ensureRole(client, role, password);
    await ensureDatabase(client, database);
    await client.query(`alter database ${quoteIdentifier(database)} owner to ${quoteIdentifier(role)}`);
    await client.query(`revoke all on database ${quoteIdentifier(database)} from public`);
  });
  return { url: new Secret(urlWith(superuserUrl, { database, role, password: password.reveal() })), password };
}

/**
 * A copy of a database nobody is connected to; some 20 ms for a small one. Who may connect to the copy is not copied:
 * everybody may.
 */
export async function createDatabaseFromTemplate(options: {
  readonly superuserUrl: Secret | string;
  readonly template: string;
  readonly name: string;
}): Promise<void> {
  const { superuserUrl, template, name } = options;
  await withAdministrator(superuserUrl, undefined, async (client) => {
    await client.query(`create database ${quoteIdentifier(name)} template ${quoteIdentifier(template)}`);
  });
}

/** Drops a database, and ends open connections to it. A missing one is fine. */
export async function dropDatabase(options: {
  readonly superuserUrl: Secret | string;
  readonly name: string;
}): Promise<void> {
  await withAdministrator(options.superuserUrl, undefined, async (client) => {
    await client.query(`drop database if exists ${quoteIdentifier(options.name)} with (force)`);
  });
}

async function ensureDatabase(client: pg.Client, database: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [database]);
  if (rowCount !== 0) return;
  await client.query(`create database ${quoteIdentifier(database)} template template0 encoding 'UTF8'`);
}

async function ensureRole(client: pg.Client, role: string, password: Secret): Promise<void> {
  const name = quoteIdentifier(role);
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role]);
  const rights = 'login nosuperuser nocreatedb nocreaterole';
  const verb = rowCount === 0 ? 'create' : 'alter';
  await client.query(
    `${verb} role ${name} with ${rights} password ${pg.escapeLiteral(scramVerifier(password.reveal()))}`,
  );
  // On a managed server the administrator is no superuser, and must belong to a role to give it a schema.
  const { rows } = await client.query<{ rolsuper: boolean }>(
    'select rolsuper from pg_roles where rolname = current_user',
  );
  if (rows[0]?.rolsuper === false) await client.query(`grant ${name} to current_user`);
}

/** The schema of a service, and the role that owns it. */
export function placeOf(database: string, service: string): { readonly schema: string; readonly role: string } {
  const schema = service.replaceAll('-', '_');
  return { schema, role: roleName(`${database}_${schema}`) };
}

/** PostgreSQL cuts names after 63 bytes; two that are cut alike would be one role. */
function roleName(name: string): string {
  if (Buffer.byteLength(name) > 63) throw new RangeError(`the role name ${name} is longer than 63 bytes`);
  return name;
}

function newPassword(): Secret {
  return new Secret(randomBytes(24).toString('base64url'));
}

const iterations = 4_096;

/**
 * What PostgreSQL keeps in place of a password (RFC 5803), so that the password itself is never part of a statement,
 * which the server might log.
 */
function scramVerifier(password: string, salt: Buffer = randomBytes(16)): string {
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const sign = (text: string): Buffer => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(sign('Client Key')).digest('base64');
  const serverKey = sign('Server Key').toString('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}
