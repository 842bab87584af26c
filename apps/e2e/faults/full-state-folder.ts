import { randomUUID } from 'node:crypto';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect, type Database, sql } from '@platform/postgres';
import { deadlineIn } from '@platform/service';
import { fillDisk, until } from '@platform/testing';
import { documentedFetch } from '../src/documented.ts';
import { PlatformState, type RunFile } from '../src/launched-platform.ts';

const disk = 400 * 1024 * 1024;
const pageBytes = 4_096;

/**
 * A launched platform whose state folder, with rows and logs, is full for a while: parts that end meanwhile start
 * again, everything answered 201 is stored, and the platform stops in order.
 */
export async function fullStateFolder(report: (line: string) => void): Promise<{ figure: string; wrongs: string[] }> {
  const state = await PlatformState.create({}, disk);
  const wrongs: string[] = [];
  try {
    // Given
    const launcher = state.start();
    const run = await launcher.running();
    const made: string[] = [];
    const answers = new Map<number, number>();
    const create = async (): Promise<number> => {
      const username = `made-${randomUUID().slice(0, 8)}`;
      const status = await post(run, '/api/v1/orgs', { username });
      answers.set(status, (answers.get(status) ?? 0) + 1);
      if (status === 201) made.push(username);
      return status;
    };
    if (await create() !== 201) wrongs.push('nothing can be made before');

    // When: the disk is full and parts end
    await using superuser = connect({ url: await superuserOf(state, run), applicationName: 'spec', maxConnections: 1 });
    await superuser.ping(deadlineIn(10_000));
    const fillers = [await fillDisk(state.home)];
    await until(async () => await create() === 503, { within: 60_000, what: 'a write is refused' });
    await useUpLog(superuser);
    await until(async () => (await state.parts()).some(({ name, ready }) => name === 'postgres' && !ready), {
      within: 30_000, what: 'PostgreSQL is away',
    });
    // Parts that end free space again and again, and the last page of the launcher's log has room left. Fill both.
    const launcherLog = join(state.home, 'logs/launcher.log');
    const fillUp = async () => {
      fillers.push(await fillDisk(state.home));
      await appendFile(launcherLog, '\n'.repeat(pageBytes)).catch(() => undefined);
    };
    await fillUp();
    const victims = (await state.parts()).filter(({ name }) => ['clusters', 'nats'].includes(name));
    for (const { pid } of victims) process.kill(pid, 'SIGKILL');
    for (let count = 0; count < 20; count += 1) await create();

    // Then: the launcher reports it, and the platform keeps running
    const isSaid = async () => {
      await fillUp();
      return launcher.output.includes('cannot be written to');
    };
    await until(isSaid, { within: 60_000, what: 'it is said that a log is not kept' })
      .catch((error: unknown) => wrongs.push(String(error)));
    for (const makeRoom of fillers) await makeRoom();
    const begun = performance.now();
    const allReady = async () => (await state.parts()).every(({ ready }) => ready);
    await until(allReady, { within: 90_000, what: 'all parts are ready' });
    await until(async () => await create() === 201, { within: 15_000, what: 'something is made' });
    const back = performance.now() - begun;
    for (const username of made) {
      const { status } = await documentedFetch(`${run.baseUrl}/api/v1/orgs/${username}`, {
        headers: { authorization: `token ${run.admin.token}` },
      });
      if (status !== 200) wrongs.push(`${username} was answered 201, and is now answered ${status}`);
    }
    const others = [...answers.keys()].filter((status) => status !== 201 && status !== 503);
    if (others.length > 0) wrongs.push(`writes were answered ${others.join(', ')}`);
    JSON.parse(await readFile(join(state.home, 'parts.json'), 'utf8'));
    const code = await launcher.terminate();
    if (code !== 0) wrongs.push(`the launcher ended with ${code}`);
    const shown = [...answers].map(([status, count]) => `${count} × ${status}`).join(', ');
    const figure = `writes answered ${shown}, all parts ready again after ${(back / 1_000).toFixed(1)} s`;
    report(`${figure}, ${wrongs.length} wrong`);
    return { figure, wrongs: wrongs.map((wrong) => `a whole platform: ${wrong}`) };
  } finally {
    await state.remove();
  }
}

/** The URL with which the launcher itself reaches its PostgreSQL. */
export async function superuserOf(state: PlatformState, { postgres }: RunFile): Promise<string> {
  const password = await readFile(join(state.home, 'secrets/postgres-superuser-password'), 'utf8');
  return Object.assign(new URL(postgres), { username: 'postgres', password, pathname: '/postgres' }).href;
}

async function post(run: RunFile, path: string, body: unknown): Promise<number> {
  try {
    const response = await documentedFetch(`${run.baseUrl}${path}`, {
      method: 'POST',
      headers: { 'authorization': `token ${run.admin.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}

/**
 * Starts segments of a PostgreSQL's write-ahead log until the disk has no room for another one, which ends PostgreSQL.
 * @param superuser connected already, because a full disk may have no room for a new connection
 */
export async function useUpLog(superuser: Database): Promise<void> {
  const begin = () => superuser.execute(sql`
    select pg_switch_wal(), pg_logical_emit_message(true, 'spec', repeat('x', 1000000))`);
  await until(() => begin().then(() => false, () => true), { within: 60_000, what: 'there is no room for the log' });
}
