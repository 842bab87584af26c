import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import pg from 'pg';
import { Secret } from '@platform/service';
import { lockProvisioning, withAdministrator } from './administrator.ts';
import { urlWith } from './server-config.ts';
import { quoteIdentifier } from './sql.ts';

export interface ProvisionOptions {
  /** Connects as a role that may create roles and databases. */
  readonly superuserUrl: Secret | string;
  /** Created if missing. */
  readonly database: string;
  /** Services. Each gets a schema (its name in snake case) and a role (`{database}_{schema}`). */
  readonly services: readonly ServiceAccess[];
}

export interface ServiceAccess {
  /** Name of the service, such as `orgs-teams`. */
  readonly service: string;
  /** Password that the caller keeps. If absent, a password is generated and set, also for an existing role. */
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
  /** Created if missing; owns the database. */
  readonly role: string;
  readonly password?: Secret;
}

/**
 * Creates the missing database, roles and schemas. A role can connect to this database and use its own schema, nothing
 * else. The call may be repeated, also by several processes at once.
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

/** Creates a role and its database, for a server that makes its own tables (OpenFGA). The call may be repeated. */
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
 * Copies a database without open connections; a small one takes about 20 ms. The right to connect is not copied, so
 * every role may connect to the copy.
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

/** Drops a database and closes its connections. Does nothing if the database does not exist. */
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
  // On a managed server the administrator is not a superuser, and must be a member of a role to give it a schema.
  const { rows } = await client.query<{ rolsuper: boolean }>(
    'select rolsuper from pg_roles where rolname = current_user',
  );
  if (rows[0]?.rolsuper === false) await client.query(`grant ${name} to current_user`);
}

/** Returns the schema of a service, and the role that owns it. */
export function placeOf(database: string, service: string): { readonly schema: string; readonly role: string } {
  const schema = service.replaceAll('-', '_');
  return { schema, role: roleName(`${database}_${schema}`) };
}

/** PostgreSQL truncates names to 63 bytes, so two long names could become the same role. */
function roleName(name: string): string {
  if (Buffer.byteLength(name) > 63) throw new RangeError(`the role name ${name} is longer than 63 bytes`);
  return name;
}

function newPassword(): Secret {
  return new Secret(randomBytes(24).toString('base64url'));
}

const iterations = 4_096;

/**
 * Returns the verifier that PostgreSQL stores for a password (RFC 5803). So the password itself is never in a
 * statement, which the server might log.
 */
function scramVerifier(password: string, salt: Buffer = randomBytes(16)): string {
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const sign = (text: string): Buffer => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(sign('Client Key')).digest('base64');
  const serverKey = sign('Server Key').toString('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}
