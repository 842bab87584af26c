import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { programPlan } from './fixtures/plan.ts';
import { scratchFolder } from './fixtures/scratch.ts';
import { launch } from './launch.ts';
import { stopLeftover } from './pid-file.ts';
import { freePorts, portOwner } from './ports.ts';
import { processIdentity } from './process-identity.ts';
import { start } from './start.ts';
import { until } from './until.ts';

const FOREVER = 'setInterval(() => undefined, 1000)';
const LISTEN = (port: number): string => `require('node:net').createServer().listen(${port}, '127.0.0.1')`;

async function listenOn(port: number): Promise<Server> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

describe('start', () => {
  let scratch: Awaited<ReturnType<typeof scratchFolder>>;
  let logFile: string;

  beforeEach(async () => {
    scratch = await scratchFolder();
    logFile = join(scratch.path, 'logs', 'program.log');
  });
  afterEach(async () => {
    await scratch[Symbol.asyncDispose]();
  });

  it('takes other ports when somebody took the chosen one', async () => {
    // given
    const [taken, free] = await freePorts(2) as [number, number];
    using _holder = disposable(await listenOn(taken));
    const ports = [taken, free];

    // when
    const started = await start(() => {
      const port = ports.shift()!;
      return programPlan(scratch.path, LISTEN(port), { ports: [port] });
    }, { logFile });
    await using _server = started.server;

    // then
    expect(started.plan.ports).toEqual([free]);
  });

  it('tries no other port than a fixed one, and names its owner', async () => {
    const [port] = await freePorts(1) as [number];
    using _holder = disposable(await listenOn(port));
    let plans = 0;
    const started = start(() => {
      plans += 1;
      return programPlan(scratch.path, LISTEN(port), { ports: [port], portFixed: true });
    }, { logFile });
    await expect(started).rejects.toMatchObject({ name: 'BackingFault', reason: 'PORT_TAKEN' });
    expect(plans).toBe(1);
    if (process.platform === 'linux') await expect(portOwner(port)).resolves.toBe(`node (pid ${process.pid})`);
  });

  it('distinguishes a server that ends at once from one that stays silent', async () => {
    const silent = { ready: (signal: AbortSignal) => once(signal, 'abort').then(() => signal.throwIfAborted()) };
    const ends = start(() => programPlan(scratch.path, 'process.exit(3)', silent), { logFile });
    await expect(ends).rejects.toMatchObject({ reason: 'START_FAILED' });

    const never = { ...silent, readyMilliseconds: 200 };
    const stays = start(() => programPlan(scratch.path, FOREVER, never), { logFile });
    await expect(stays).rejects.toMatchObject({ reason: 'NOT_READY' });
    await expect(stat(join(scratch.path, 'program.json'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('ends with the caller, and leaves nothing running', async () => {
    const caller = new AbortController();
    const silent = { ready: (signal: AbortSignal) => once(signal, 'abort').then(() => signal.throwIfAborted()) };
    const reason = new Error('interrupted');
    const started = start(() => programPlan(scratch.path, FOREVER, silent), { logFile, signal: caller.signal });
    caller.abort(reason);
    await expect(started).rejects.toBe(reason);
    await expect(stat(join(scratch.path, 'program.json'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('launch', () => {
  it('refuses an executable that is not there', async () => {
    await using scratch = await scratchFolder();
    const plan = programPlan(scratch.path, '', { command: join(scratch.path, 'absent') });
    const launched = launch(plan, { logFile: join(scratch.path, 'log') });
    await expect(launched).rejects.toMatchObject({ reason: 'START_FAILED' });
  });

  it('kills what does not heed the stop signal, after the grace', async () => {
    await using scratch = await scratchFolder();
    const stubborn = "process.on('SIGTERM', () => undefined); console.log('up'); setInterval(() => undefined, 1000)";
    const logFile = join(scratch.path, 'log');
    const plan = programPlan(scratch.path, stubborn, {
      graceMilliseconds: 100,
      ready: (signal) => logged(logFile, 'up', signal),
    });
    const { server } = await start(() => plan, { logFile });
    await expect(server.stop()).resolves.toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('kills by the grace that is over first', async () => {
    await using scratch = await scratchFolder();
    const logFile = join(scratch.path, 'log');
    const stubborn = `process.on('SIGTERM', () => undefined); console.log('it stays'); ${FOREVER}`;
    const server = await launch(programPlan(scratch.path, stubborn), { logFile });
    await until(async () => expect(await readFile(logFile, 'utf8')).toContain('it stays'), AbortSignal.timeout(10_000));
    const patient = server.stop(60_000);
    await expect(server.stop(100)).resolves.toEqual({ code: null, signal: 'SIGKILL' });
    await expect(patient).resolves.toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('leaves a record by which the next launcher stops what is left', async () => {
    await using scratch = await scratchFolder();
    const plan = programPlan(scratch.path, FOREVER);
    const server = await launch(plan, { logFile: join(scratch.path, 'log') });

    await stopLeftover(plan.pidFile);

    await expect(server.exited).resolves.toEqual({ code: null, signal: 'SIGTERM' });
    expect(processIdentity(server.pid)).toBeUndefined();
  });
});

async function logged(file: string, text: string, signal: AbortSignal): Promise<void> {
  await until(async () => {
    if (!(await readFile(file, 'utf8')).includes(text)) throw new Error('not yet logged');
  }, signal);
}

function disposable(server: Server): Disposable {
  return { [Symbol.dispose]: () => void server.close() };
}
