import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { removeState } from '@platform/backing';
import pg from 'pg';

/** The fields that benches read from `run.json`, which `platform up` writes into its state folder. */
export interface RunFile {
  baseUrl: string;
  pid: number;
  /** `host:port` by name of the service. */
  grpc: Record<string, string>;
  postgres: string;
  /** Address of the bus for members. */
  nats: string;
  admin: { token: string };
}

/** A running platform with its own state folder. Disposing stops the platform and removes the folder. */
export interface Launched extends AsyncDisposable {
  run: RunFile;
  /** Process ids of the launcher and of PostgreSQL. The other parts are their descendants. */
  processes: () => readonly number[];
  /** Runs `platform <arguments> --json` and parses the output. */
  command: <Answer>(...argv: string[]) => Promise<Answer>;
}

/**
 * Starts `platform up` and waits until `run.json` exists.
 * @param settings additional environment variables
 * @param tree the folder of the code
 */
export async function launchPlatform(
  settings: Readonly<Record<string, string>> = {}, tree = join(import.meta.dirname, '..'),
): Promise<Launched> {
  const home = await mkdtemp(join(tmpdir(), 'platform-bench-'));
  const main = join(tree, 'apps/platform/src/main.ts');
  const env = { ...process.env, PLATFORM_HOME: home, PLATFORM_LOG_LEVEL: 'warn', ...settings };
  const launcher = spawn(process.execPath, [main, 'up'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const dispose = async () => {
    const exited = launcher.exitCode === null ? new Promise((resolve) => launcher.once('exit', resolve)) : undefined;
    launcher.kill('SIGTERM');
    await exited;
    await removeState(home);
  };
  try {
    const run = await runFile(home, launcher);
    const postmaster = await postmasterOf(run.postgres);
    return {
      run,
      processes: () => [launcher.pid!, postmaster],
      command: async (...argv) => {
        const { stdout } = await promisify(execFile)(process.execPath, [main, ...argv, '--json'], { env });
        return JSON.parse(stdout);
      },
      [Symbol.asyncDispose]: dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function runFile(home: string, launcher: ChildProcess): Promise<RunFile> {
  for (;;) {
    try {
      return JSON.parse(readFileSync(join(home, 'run.json'), 'utf8')) as RunFile;
    } catch {
      if (launcher.exitCode !== null) throw new Error('the platform did not start');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

/** Returns the process id of the parent of all PostgreSQL backends. */
async function postmasterOf(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query('select pg_backend_pid() as pid');
  const stat = readFileSync(`/proc/${rows[0].pid}/stat`, 'utf8');
  await client.end();
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

/** Returns the URL of the database `platform` with `search_path` set to this schema. */
export function postgresUrl({ postgres }: RunFile, schema: string): string {
  const withPath = new URL(postgres);
  withPath.pathname = '/platform';
  withPath.searchParams.set('options', `-c search_path=${schema}`);
  return withPath.href;
}

/** Waits until orgs-teams has no changes pending for the engine. @throws DOMException after one minute */
export async function settled(run: RunFile): Promise<void> {
  const client = new pg.Client({ connectionString: postgresUrl(run, 'orgs_teams') });
  await client.connect();
  const giveUp = AbortSignal.timeout(60_000);
  while ((await client.query('select from projection_pending limit 1')).rowCount !== 0) {
    giveUp.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await client.end();
}
