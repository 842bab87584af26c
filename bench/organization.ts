import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import pg from 'pg';
import { compare, print } from './compare.ts';
import type { BenchSize } from './hop.ts';
import { start } from './processes.ts';

interface RunFile {
  baseUrl: string;
  pid: number;
  postgres: string;
  admin: { token: string };
}

/**
 * `GET /orgs/{orgname}` with a token, end to end: CPU of gateway, services, OpenFGA, NATS and PostgreSQL together, in
 * multiples of the hand-written hop with one prepared PostgreSQL query against the same server. 50 organizations.
 */
export async function benchOrganization({ rounds, requests }: BenchSize): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'platform-bench-'));
  const launcher = spawn(process.execPath, [join(import.meta.dirname, '../apps/platform/src/main.ts'), 'up'], {
    env: { ...process.env, PLATFORM_HOME: home, PLATFORM_LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    const run = await runFile(home, launcher);
    const headers = { authorization: `token ${run.admin.token}`, 'content-type': 'application/json' };
    for (let n = 0; n < 50; n += 1) {
      const body = JSON.stringify({ username: `bench-${n}` });
      const answer = await fetch(`${run.baseUrl}/api/v1/orgs`, { method: 'POST', headers, body });
      if (answer.status !== 201) throw new Error(`creating an organization answered ${answer.status}`);
    }
    const back = await start('hop/back.ts', ownSchema(run.postgres));
    const front = await start('hop/front.ts', `127.0.0.1:${back.port}`);
    const postmaster = await postmasterOf(run.postgres);
    const load = (baseUrl: string, sent: Record<string, string>) => ({
      requests, connections: 32, expect: 200,
      next: (n: number) => ({ url: `${baseUrl}/api/v1/orgs/bench-${n % 50}`, headers: sent }),
    });
    const measured = await compare(
      [
        {
          name: 'hop with one query',
          load: load(`http://127.0.0.1:${front.port}`, {}),
          processes: () => [front.pid, back.pid, postmaster],
        },
        {
          name: 'GET /orgs/{orgname}',
          load: load(run.baseUrl, { authorization: headers.authorization }),
          processes: () => [launcher.pid!, postmaster],
        },
      ],
      rounds,
    );
    print('GET /orgs/{orgname} with a token, end to end', measured, { 'GET /orgs/{orgname}': 1.4 });
    front.stop();
    back.stop();
  } finally {
    launcher.kill('SIGTERM');
    await new Promise((resolve) => launcher.once('exit', resolve));
    await rm(home, { recursive: true, force: true });
  }
}

async function runFile(home: string, launcher: { exitCode: number | null }): Promise<RunFile> {
  for (;;) {
    try {
      return JSON.parse(readFileSync(join(home, 'run.json'), 'utf8')) as RunFile;
    } catch {
      if (launcher.exitCode !== null) throw new Error('the platform did not start');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

/** The URL under which the tables of orgs-teams are found without naming their schema. */
function ownSchema(url: string): string {
  const withPath = new URL(url);
  withPath.pathname = '/platform';
  withPath.searchParams.set('options', '-c search_path=orgs_teams');
  return withPath.href;
}

/** Parent of every backend, so that all CPU of PostgreSQL counts on both sides. */
async function postmasterOf(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query('select pg_backend_pid() as pid');
  const stat = readFileSync(`/proc/${rows[0].pid}/stat`, 'utf8');
  await client.end();
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}
