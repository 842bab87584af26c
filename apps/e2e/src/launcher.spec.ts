import { randomUUID } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, sql } from '@platform/postgres';
import { grpcServices } from '@platform/service';
import { until } from '@platform/testing';
import { documentedFetch } from './documented.ts';
import { type Launcher, PlatformState, type RunFile } from './launched-platform.ts';

/** A start and a stop, on a machine that is busy with other tests. */
const patience = 180_000;
const services = grpcServices.map(({ name }) => name);
const everyPart = [...services, 'gateway', 'nats', 'openfga', 'postgres'];
/** Most transactions of all services together, and most wake-ups of the idle gateway, per second. */
const mostIdle = { transactions: 20, wakings: 40 };
/** Interval between checks of the parts. Each check runs a command, which takes CPU time from the part that starts. */
const lookMs = 500;
/** operator.md §1. */
const stopWithin = 10_000;

describe('npm start', () => {
  let state: PlatformState, launcher: Launcher, run: RunFile;

  beforeAll(async () => {
    state = await PlatformState.create();
    launcher = state.start();
    run = await launcher.running();
  }, patience);
  afterAll(() => state.remove(), patience);

  it('writes run.json as others rely on it, for its owner only', async () => {
    expect(run).toEqual({
      baseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      pid: expect.any(Number),
      signInLink: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/sign-in#link=[0-9a-f]{40}$/),
      grpc: Object.fromEntries(services.map((name) => [name, expect.stringMatching(/^127\.0\.0\.1:\d+$/)])),
      postgres: expect.stringMatching(/^postgres:\/\//),
      nats: expect.stringMatching(/^nats:\/\//),
      openfga: {
        url: expect.stringMatching(/^http:\/\//), storeId: expect.stringMatching(/./), modelId: expect.stringMatching(/./),
      },
      admin: { username: 'platform-admin', token: expect.stringMatching(/^[0-9a-f]{40}$/) },
      mailFolder: expect.stringMatching(/\/mail$/),
    });
    expect((await stat(state.runFile)).mode & 0o777).toBe(0o600);
  });

  it('prints three calls to paste, which work', async () => {
    const statuses: number[] = [];
    for (const call of launcher.calls) statuses.push((await launcher.call(call)).status);
    expect(statuses).toEqual([200, 201, 200]);
  });

  it('says what runs where and as what, and that this is no production set-up', () => {
    const places = [run.baseUrl, ...Object.values(run.grpc), new URL(run.postgres).host, new URL(run.nats).host];
    const told = [...places, run.openfga.url, run.admin.username, run.admin.token, state.home];
    expect(told.filter((text) => !launcher.output.includes(text))).toEqual([]);
    expect(launcher.output).toContain('deployment type Hosted in run mode dev');
    expect(launcher.output).toContain('not for production');
  });

  it('shows every part as ready', async () => {
    const parts = await state.parts();
    expect(parts.map(({ name }) => name).sort()).toEqual([...everyPart].sort());
    expect(parts.filter(({ ready, restarts }) => !ready || restarts !== 0)).toEqual([]);
  });

  it('shows no secret in the arguments of a process', async () => {
    const folder = join(state.home, 'secrets');
    const secrets = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')));
    const lines = await Promise.all((await state.processes()).map(argumentsOf));
    expect(lines.length).toBeGreaterThanOrEqual(everyPart.length);
    expect(lines.filter((line) => secrets.some((secret) => line.includes(secret.trim())))).toEqual([]);
  });

  it('answers its status with run.json and the parts', async () => {
    expect(await state.ask('status')).toEqual({ ...run, state: 'running', parts: expect.any(Array) });
  });

  it('passes its own examination', async () => {
    const report = await state.ask<{ ok: boolean; checks: { area: string; ok: boolean }[] }>('doctor');
    expect(report.checks.filter(({ ok }) => !ok)).toEqual([]);
    expect(report.ok).toBe(true);
    expect([...new Set(report.checks.map(({ area }) => area))].sort())
      .toEqual(['drift', 'machine', 'migrations', 'model', 'parts', 'settings', 'state', 'versions']);
  });

  it.each([
    ['orgs_teams', 'callers', 6], ['clusters', 'clusters', 1], ['metricsproxy', 'backends', 1],
  ])('permits services to keep what is in the schema %s in memory under leases: %s', async (schema, _what, holders) => {
    const url = Object.assign(new URL(run.postgres), { pathname: 'platform' }).href;
    await using rows = connect({ url, schema, applicationName: 'spec' });
    const held = () => rows.query(sql`select from lease_session where not is_revoked and expires_at > clock_timestamp()`);
    await until(async () => (await held()).length === holders, { within: 15_000, what: `there are ${holders} leases` });
  });

  it('hardly wakes up while nobody uses it', async () => {
    const { pid } = (await state.parts()).find(({ name }) => name === 'gateway')!;
    // Connect to another database, so that these statements are not counted.
    await using server = connect({ url: run.postgres, schema: 'public', applicationName: 'idle spec' });
    const read = async () => ({
      ...await server.one(sql<{ at: number; transactions: number }>`
        select extract(epoch from clock_timestamp())::float8 as "at",
               (xact_commit + xact_rollback)::float8 as "transactions"
          from pg_stat_database where datname = 'platform'`),
      wakings: await wakingsOf(pid),
    });
    let before = await read();
    await until(async () => {
      const now = await read();
      const seconds = now.at - before.at;
      if (seconds < 10) return undefined;
      const [transactions, wakings] = [now.transactions - before.transactions, now.wakings - before.wakings];
      before = now;
      return transactions <= mostIdle.transactions * seconds && wakings <= mostIdle.wakings * seconds ? true : undefined;
    }, { what: 'loops and polls of all services are idle', within: 90_000 });
  }, patience);

  it('refuses a second launcher on the same state', async () => {
    const { stderr, ...ended } = await state.platform('up', '--json');
    expect(ended).toEqual({ code: 1, stdout: '' });
    expect(stderr.trimEnd().split('\n')).toEqual([expect.stringContaining(String(run.pid))]);
    expect(existsSync(state.runFile)).toBe(true);
  });

  it('refuses to start again while it runs', async () => {
    expect((await state.platform('up', '--reset')).code).toBe(1);
    expect(await state.run()).toEqual(run);
  });

  it('names a taken port, who has it, and the setting', async () => {
    const other = await PlatformState.create();
    try {
      const { port } = new URL(run.baseUrl);
      const { code, stderr } = await other.platform('up', '--port', port);
      expect(code).toBe(1);
      const gateway = (await state.parts()).find(({ name }) => name === 'gateway');
      for (const told of [port, 'PLATFORM_HTTP_PORT', `by node (pid ${gateway?.pid})`]) expect(stderr).toContain(told);
      expect(await other.processes()).toEqual([]);
    } finally {
      await other.remove();
    }
  }, patience);

  it('lets a new user act at once, and no longer once the token is revoked', async () => {
    const ada = ['--username', 'ada', '--email', 'ada@example.org', '--full-name', 'Ada'];
    const user = await state.ask('admin', 'user', 'create', ...ada);
    expect(user).toEqual({ id: expect.any(Number), username: 'ada' });
    const first = ['--user', 'ada', '--name', 'first', '--expires', '30d'];
    const token = await state.ask<{ id: number; token: string }>('admin', 'token', 'create', ...first);
    expect(token).toEqual({ id: expect.any(Number), token: expect.stringMatching(/^[0-9a-f]{40}$/) });
    expect(await createOrganization(run, token.token, 'ada-works')).toBe(201);
    expect(await state.ask('admin', 'user', 'update', 'ada', '--prohibit-login=true')).toEqual(user);
    expect(await createOrganization(run, token.token, 'ada-barred')).toBe(403);
    expect(await state.ask('admin', 'user', 'update', 'ada', '--prohibit-login=false')).toEqual(user);
    expect(await createOrganization(run, token.token, 'ada-again')).toBe(201);
    expect(await state.ask('admin', 'token', 'revoke', String(token.id))).toEqual({ revoked: true });
    expect(await createOrganization(run, token.token, 'ada-revoked')).toBe(401);
    const { entries } = await state.ask<{ entries: unknown[] }>('admin', 'audit', '--action', 'token.create', '--limit', '1');
    const details = expect.objectContaining({ account: 'ada', name: 'first' });
    expect(entries).toEqual([expect.objectContaining({ actor: 'operator', details })]);
  }, patience);

  it('refuses to take the last owner from an organization', async () => {
    const deletion = await state.platform('admin', 'user', 'delete', 'ada', '--json');
    expect(deletion).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining('LAST_OWNER') });
  });

  it('gives an organization a token, and a cluster of it an account of the bus', async () => {
    const make = ['admin', 'token', 'create', '--org', 'ada-works', '--name', 'automation'];
    const { token } = await state.ask<{ token: string }>(...make);
    expect(await readOrganization({ ...run, admin: { ...run.admin, token } }, 'ada-works')).toBe(200);
    const cluster = ['--org', 'ada-works', '--cluster-uid', randomUUID(), '--product', 'platform'];
    const account = await state.ask('admin', 'bus-account', 'create', ...cluster);
    expect(account).toEqual({
      id: expect.any(Number), busPubKey: expect.stringMatching(/^U[A-Z2-7]{55}$/),
      creds: expect.stringMatching(/^-----BEGIN NATS USER JWT-----/),
    });
  });

  it('deletes a user who owns nothing', async () => {
    await state.ask('admin', 'user', 'create', '--username', 'grace', '--email', 'grace@example.org', '--inactive');
    expect(await state.ask('admin', 'user', 'delete', 'grace')).toEqual({ deleted: true });
    const again = await state.platform('admin', 'user', 'delete', 'grace');
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('NOT_FOUND') });
  });

  it.each(everyPart)('starts %s again when it is killed', async (name) => {
    const before = (await state.parts()).find((part) => part.name === name)!;
    process.kill(before.pid, 'SIGKILL');
    const parts = await until(async () => {
      const now = await state.parts();
      const again = now.find((part) => part.name === name)!;
      return again.restarts > before.restarts && now.every(({ ready }) => ready) && now;
    }, { within: 60_000, every: lookMs, what: `${name} is back and all parts are ready` });
    expect(parts.find((part) => part.name === name)).toMatchObject({ lastExit: 'SIGKILL' });
    const works = async () => (await createOrganization(run, run.admin.token, `after-${name}`)) === 201;
    expect(await until(works, { within: 30_000, what: 'an organization can be created' })).toBe(true);
    expect(await state.run()).toEqual(run);
  }, patience);

  it('stops everything on Ctrl-C, in time, and leaves nothing behind', async () => {
    expect(await state.processes()).not.toEqual([]);
    const begun = performance.now();
    expect(await launcher.stop('SIGINT')).toBe(0);
    expect(performance.now() - begun).toBeLessThan(stopWithin);
    await expectNothingLeft();
  }, patience);

  it('goes on with what it kept', async () => {
    launcher = state.start();
    const again = await launcher.running();
    expect(again.admin).toEqual(run.admin);
    expect(await readOrganization(again, 'ada-works')).toBe(200);
    expect(await state.parts()).toHaveLength(everyPart.length);
  }, patience);

  it('recovers from being killed itself, and replaces the kept token of the administrator if it was revoked', async () => {
    const { admin, pid } = await state.run();
    const audit = ['admin', 'audit', '--actor', 'platform', '--action', 'token.create'];
    const { entries } = await state.ask<{ entries: { object: string }[] }>(...audit);
    const revoked = await state.ask('admin', 'token', 'revoke', entries[0]!.object.replace('token:', ''));
    expect(revoked).toEqual({ revoked: true });
    process.kill(pid, 'SIGKILL');
    await launcher.exited;
    await until(async () => (await state.processes()).length === 0, { within: 20_000, what: 'nothing is left' });
    expect((await state.platform('status')).code).toBe(1);
    launcher = state.start();
    const again = await launcher.running();
    expect(again.admin).toEqual({ username: admin.username, token: expect.stringMatching(/^[0-9a-f]{40}$/) });
    expect(again.admin.token).not.toBe(admin.token);
    expect(launcher.output).toContain('no longer accepted');
    expect(await readOrganization(again, 'ada-works')).toBe(200);
    expect((await stat(join(state.home, 'secrets/admin-token'))).mode & 0o777).toBe(0o600);
    expect(await launcher.terminate()).toBe(0);
    expect(await state.processes()).toEqual([]);
  }, patience);

  it('stops in the middle of a start', async () => {
    launcher = state.start();
    await until(() => launcher.output.includes('postgres ready'), { within: 60_000, what: 'PostgreSQL runs' });
    expect(await launcher.stop('SIGTERM')).toBe(0);
    await expectNothingLeft();
  }, patience);

  it('starts again with --reset, and runs beside another platform', async () => {
    const other = await PlatformState.create();
    try {
      const beside = other.start();
      launcher = state.start('--reset');
      const fresh = await launcher.running();
      const foreign = await beside.running();
      expect(fresh.admin.token).not.toBe(run.admin.token);
      expect(await readOrganization(fresh, 'ada-works')).toBe(404);
      expect(foreign.baseUrl).not.toBe(fresh.baseUrl);
      expect(await createOrganization(foreign, fresh.admin.token, 'not-mine')).toBe(401);
      expect(await createOrganization(foreign, foreign.admin.token, 'mine')).toBe(201);
      expect(await readOrganization(fresh, 'mine')).toBe(404);
    } finally {
      await other.remove();
    }
  }, patience);

  async function expectNothingLeft(): Promise<void> {
    expect(existsSync(state.runFile)).toBe(false);
    expect(await state.processes()).toEqual([]);
  }
});

/** The arguments of a process, which every user can read; empty for a process that has just ended. */
async function argumentsOf(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
}

/** Number of wake-ups of a process's first thread since its start. */
async function wakingsOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^voluntary_ctxt_switches:\s+(\d+)$/m.exec(status)![1]);
}

async function createOrganization({ baseUrl }: RunFile, token: string, username: string): Promise<number> {
  const headers = { 'authorization': `token ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ username });
  const response = await documentedFetch(`${baseUrl}/api/v1/orgs`, { method: 'POST', headers, body });
  await response.arrayBuffer();
  return response.status;
}

async function readOrganization({ baseUrl, admin }: RunFile, name: string): Promise<number> {
  const headers = { authorization: `token ${admin.token}` };
  const response = await documentedFetch(`${baseUrl}/api/v1/orgs/${name}`, { headers });
  await response.arrayBuffer();
  return response.status;
}
