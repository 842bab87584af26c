import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import pg from 'pg';
import { Secret } from '@platform/service';
import { withOwnConnection } from './own-connection.ts';
import { serverConfig, urlWith } from './server-config.ts';
import { quoteIdentifier } from './sql.ts';

interface ProvisionOptions {
  /** Connects as a role that may create roles and databases. */
  readonly superuserUrl: Secret | string;
  /** Created if missing. */
  readonly database: string;
  /**
   * Each service gets a schema and a role. The name of the schema is the name of the service in snake case. The name
   * of the role is `{database}_{schema}`. If `password` is absent, the role gets a new random password, even if the
   * role exists already.
   */
  readonly services: readonly { readonly service: string; readonly password?: Secret }[];
}

interface ProvisionedService {
  readonly service: string;
  readonly schema: string;
  readonly role: string;
  readonly password: Secret;
  /** `postgres://role:password@host:port/database`. */
  readonly url: Secret;
}

/**
 * Creates the database, roles and schemas that are missing. Sets the password of each role. Each role may connect to
 * the database, create temporary tables, and use its own schema. The call may be repeated, even by several processes at
 * once.
 */
export async function provision(
  { superuserUrl, database, services: wanted }: ProvisionOptions,
): Promise<readonly ProvisionedService[]> {
  const services = wanted.map(({ service, password = newPassword() }) => {
    return { service, ...placeOf(database, service), password };
  });
  await withAdministrator(superuserUrl, undefined, async (client) => {
    await lockProvisioning(client);
    await ensureDatabase(client, database);
    for (const { role, password } of services) await ensureRole(client, role, password);
    const databaseName = quoteIdentifier(database);
    await client.query(`revoke all on database ${databaseName} from public`);
    for (const { role } of services) {
      await client.query(`grant connect, temporary on database ${databaseName} to ${quoteIdentifier(role)}`);
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
  return services.map((one) => ({ ...one, url: secretUrl(superuserUrl, database, one.role, one.password) }));
}

/**
 * Creates a role and a database that the role owns, for a server such as OpenFGA. The call may be repeated. Each call
 * without `password` gives the role a new random password.
 */
export async function provisionDatabase(
  { superuserUrl, database, role, password = newPassword() }:
    { superuserUrl: Secret | string; database: string; role: string; password?: Secret },
): Promise<{ readonly url: Secret }> {
  await withAdministrator(superuserUrl, undefined, async (client) => {
    await lockProvisioning(client);
    await ensureRole(client, role, password);
    await ensureDatabase(client, database);
    await client.query(`alter database ${quoteIdentifier(database)} owner to ${quoteIdentifier(role)}`);
    await client.query(`revoke all on database ${quoteIdentifier(database)} from public`);
  });
  return { url: secretUrl(superuserUrl, database, role, password) };
}

function secretUrl(superuserUrl: Secret | string, database: string, role: string, password: Secret): Secret {
  return new Secret(urlWith(superuserUrl, { database, role, password: password.reveal() }));
}

/** Copies a database that has no open connections. Rights on the database are not copied: any role may connect. */
export async function createDatabaseFromTemplate(
  { superuserUrl, template, name }: { superuserUrl: Secret | string; template: string; name: string },
): Promise<void> {
  await withAdministrator(superuserUrl, undefined, async (client) => {
    await client.query(`create database ${quoteIdentifier(name)} template ${quoteIdentifier(template)}`);
  });
}

export async function dropDatabase(
  { superuserUrl, name }: { superuserUrl: Secret | string; name: string },
): Promise<void> {
  await withAdministrator(superuserUrl, undefined, async (client) => {
    await client.query(`drop database if exists ${quoteIdentifier(name)} with (force)`);
  });
}

/** @param database default: the database of the URL */
async function withAdministrator<Result>(
  url: Secret | string, database: string | undefined, work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const config = serverConfig(database === undefined ? url : urlWith(url, { database }), 'platform provisioning');
  return withOwnConnection({ ...config, query_timeout: 60_000 }, { statementTimeout: 60_000 }, work);
}

/**
 * Waits for the lock of provisioning, and holds it until the connection ends. Only connections to the same database
 * exclude each other.
 */
async function lockProvisioning(client: pg.Client): Promise<void> {
  await client.query(`select pg_advisory_lock(hashtextextended('platform.provision', 0))`);
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
  const verifier = pg.escapeLiteral(scramVerifier(password.reveal()));
  await client.query(`${verb} role ${name} with ${rights} password ${verifier}`);
  // A superuser may create a schema for any role. Any other administrator must be a member of the role.
  const ofCurrent = 'select rolsuper from pg_roles where rolname = current_user';
  const { rows } = await client.query<{ rolsuper: boolean }>(ofCurrent);
  if (rows[0]?.rolsuper === false) await client.query(`grant ${name} to current_user`);
}

export function placeOf(database: string, service: string): { readonly schema: string; readonly role: string } {
  const schema = service.replaceAll('-', '_');
  const role = `${database}_${schema}`;
  // PostgreSQL truncates names to 63 bytes, so two long names could become the same role.
  if (Buffer.byteLength(role) > 63) throw new RangeError(`the role name ${role} is longer than 63 bytes`);
  return { schema, role };
}

function newPassword(): Secret {
  return new Secret(randomBytes(24).toString('base64url'));
}

const iterations = 4_096;

/**
 * Returns the SCRAM verifier of a password (RFC 5803), as PostgreSQL stores it. SQL statements contain the verifier
 * instead of the password, because the server might log statements.
 */
function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const sign = (text: string): Buffer => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(sign('Client Key')).digest('base64');
  const serverKey = sign('Server Key').toString('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}
