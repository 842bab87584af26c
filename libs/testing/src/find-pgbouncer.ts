import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './free-port.ts';
import { takesConnections } from './sockets.ts';
import { until } from './until.ts';

/** A running PgBouncer. */
export interface PgBouncer extends AsyncDisposable {
  /**
   * The URL of a server behind PgBouncer, with PgBouncer's address. It works for any role and database, with their own
   * passwords.
   */
  through(url: string): string;
  /** Kills PgBouncer with all its connections, and starts it again. */
  restart(): Promise<void>;
}

interface PgBouncerOptions {
  readonly mode: 'session' | 'transaction';
  /** URL of the server, with a superuser, who may read the passwords of other roles. */
  readonly superuserUrl: string;
  /** Maximum connections to the server for each role and database; further clients wait. */
  readonly poolSize: number;
}

type StartPgBouncer = (options: PgBouncerOptions) => Promise<PgBouncer>;

/** Debian installs PgBouncer in a folder that is not in the PATH of ordinary users. */
const env = { ...process.env, PATH: `${process.env['PATH'] ?? ''}${delimiter}/usr/sbin` };

/** Returns a function that starts PgBouncer; undefined if it is not installed (Debian has the package pgbouncer). */
export async function findPgBouncer(): Promise<StartPgBouncer | undefined> {
  return promisify(execFile)('pgbouncer', ['--version'], { env }).then(() => startPgBouncer, () => undefined);
}

async function startPgBouncer({ mode, superuserUrl, poolSize }: PgBouncerOptions): Promise<PgBouncer> {
  const [folder, port] = [await mkdtemp(join(tmpdir(), 'platform-pgbouncer-')), await freePort()];
  const server = new URL(superuserUrl);
  const [superuser, password] = [server.username, server.password].map(decodeURIComponent);
  const [file, users] = [join(folder, 'pgbouncer.ini'), join(folder, 'users.txt')];
  await writeFile(users, `"${superuser}" "${password}"\n`);
  await writeFile(file, `
[databases]
* = host=${server.hostname} port=${server.port} auth_user=${superuser}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = ${mode}
default_pool_size = ${poolSize}
max_client_conn = 1000
`);
  // PgBouncer refuses to run as root, so another user must be able to read its folder.
  await chmod(folder, 0o755);
  const asOther = process.getuid?.() === 0 ? ['--user', 'nobody'] : [];
  let stop = await run();

  async function run(): Promise<() => Promise<void>> {
    const child = spawn('pgbouncer', ['--quiet', ...asOther, file], { env, stdio: 'ignore' });
    const ended = once(child, 'close');
    await until(() => takesConnections(port), { within: 30_000, what: 'PgBouncer listens' });
    return async () => {
      child.kill('SIGKILL');
      await ended;
    };
  }

  return {
    through: (url) => Object.assign(new URL(url), { host: `127.0.0.1:${port}` }).href,
    restart: async () => {
      await stop();
      stop = await run();
    },
    [Symbol.asyncDispose]: async () => {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
