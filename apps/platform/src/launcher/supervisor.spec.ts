import { connect } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { createReaper, freePorts, processIdentity, type Reaper } from '@platform/backing';
import { until } from '@platform/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../testdata/temporary-folder.ts';
import { startService } from './service-process.ts';
import { supervise, type SupervisedPart } from './supervisor.ts';

const never = new AbortController().signal;
const quick = { first: 10, most: 80 };
let reaper: Reaper;

beforeAll(() => {
  reaper = createReaper();
});

afterAll(async () => {
  await reaper.close();
});

describe('supervise', () => {
  it('starts a killed part again on the same port, and says so', async () => {
    await using home = await temporaryFolder();
    const port = await freePort();
    const lines: string[] = [];
    await using part = await supervisedProgram(home.path, { port, lines });
    const { pid } = part.status();

    process.kill(pid!, 'SIGKILL');
    await until(() => runsAgain(part, 1), { what: 'it runs again' });

    expect(part.status()).toMatchObject({ lastExit: 'SIGKILL', restarts: 1 });
    expect(part.status().pid).not.toBe(pid);
    expect(await answers(port)).toBe(true);
    expect(lines).toHaveLength(2);
  });

  it('pauses longer each time a part ends soon after it began, up to the limit', async () => {
    await using home = await temporaryFolder();
    const lines: string[] = [];
    await using part = await supervisedProgram(home.path, { lines });

    for (let kills = 1; kills <= 5; kills += 1) {
      process.kill(part.status().pid!, 'SIGKILL');
      await until(() => runsAgain(part, kills), { what: 'it runs again' });
    }

    const announced = lines.filter((line) => line.includes('SIGKILL')).length;
    expect(announced).toBe(5);
    expect(part.pauses).toEqual([10, 20, 40, 80, 80]);
  });

  it('begins with the first pause again once a part has run steadily', async () => {
    await using home = await temporaryFolder();
    await using part = await supervisedProgram(home.path, { steadyMs: 0 });

    for (let kills = 1; kills <= 3; kills += 1) {
      process.kill(part.status().pid!, 'SIGKILL');
      await until(() => runsAgain(part, kills), { what: 'it runs again' });
    }

    expect(part.pauses).toEqual([10, 10, 10]);
  });

  it('stops a part that hangs, and starts it again on the same port', async () => {
    await using home = await temporaryFolder();
    const port = await freePort();
    const lines: string[] = [];
    await using part = await supervisedProgram(home.path, { port, lines, silenceMs: 1_500 });

    process.kill(part.status().pid!, 'SIGSTOP');
    await until(() => runsAgain(part, 1), { what: 'it runs again', within: 20_000 });

    expect(part.status()).toMatchObject({ lastExit: 'no answer for 1.5 s, then SIGKILL', restarts: 1 });
    expect(await answers(port)).toBe(true);
    expect(lines[0]).toContain('no answer for 1.5 s');
    expect(part.pauses).toEqual([quick.first]);
  }, 30_000);

  it('goes on trying when the part cannot be started', async () => {
    await using home = await temporaryFolder();
    const environment: Record<string, string> = {};
    await using part = await supervisedProgram(home.path, { environment });

    environment['BEHAVIOUR'] = 'fail';
    process.kill(part.status().pid!, 'SIGKILL');
    await until(() => part.status().restarts >= 3, { what: 'it was tried three times' });
    environment['BEHAVIOUR'] = 'serve';
    await until(() => part.status().state === 'running', { what: 'it runs again' });

    expect(part.status().pid).toBeDefined();
  });

  it('fails when the first start fails, and leaves nothing to supervise', async () => {
    await using home = await temporaryFolder();
    const starting = supervisedProgram(home.path, { environment: { BEHAVIOUR: 'fail' } });
    await expect(starting).rejects.toMatchObject({ reason: 'START_FAILED' });
  });

  it('does not start a part again that it stops', async () => {
    await using home = await temporaryFolder();
    await using part = await supervisedProgram(home.path, {});
    const { pid } = part.status();

    expect(await part.stop()).toBeUndefined();

    expect(part.status()).toMatchObject({ state: 'stopped', restarts: 0 });
    expect(processIdentity(pid!)).toBeUndefined();
  });

  it('leaves a part that ends while the platform stops as it is, and says how it ended in its turn', async () => {
    await using home = await temporaryFolder();
    const lines: string[] = [];
    await using part = await supervisedProgram(home.path, { lines });
    const { pid } = part.status();

    part.retire();
    process.kill(pid!, 'SIGKILL');
    await until(() => processIdentity(pid!) === undefined, { what: 'it has ended' });

    expect(await part.stop()).toBe('SIGKILL');
    expect(part.status()).toMatchObject({ state: 'stopped', restarts: 0 });
    expect(lines).toEqual(['program did not stop cleanly, it ended with SIGKILL.']);
  });

  it('stops in the middle of a pause', async () => {
    await using home = await temporaryFolder();
    await using part = await supervisedProgram(home.path, { backoff: { first: 60_000, most: 60_000 } });
    process.kill(part.status().pid!, 'SIGKILL');
    await until(() => part.status().state === 'restarting', { what: 'its end is noticed' });

    await part.stop();

    expect(part.status().state).toBe('stopped');
  });
});

describe('startService', () => {
  it('answers the addresses that the service announced', async () => {
    await using home = await temporaryFolder();
    const port = await freePort();
    const { server, addresses } = await startProgram(home.path, { PORT: String(port) });
    await using _server = server;
    expect(addresses).toEqual({ grpc: `127.0.0.1:${port}` });
  });

  it('kills a service that ignores its signal', async () => {
    await using home = await temporaryFolder();
    const { server } = await startProgram(home.path, { BEHAVIOUR: 'stubborn' });
    expect(await server.stop()).toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('gives up on a service that never says it is ready', async () => {
    await using home = await temporaryFolder();
    const starting = startProgram(home.path, { BEHAVIOUR: 'silent' }, never, 400);
    await expect(starting).rejects.toMatchObject({ reason: 'NOT_READY' });
  });

  it('leaves nothing running when the start is aborted', async () => {
    await using home = await temporaryFolder();
    const port = await freePort();
    const abort = new AbortController();
    const starting = startProgram(home.path, { BEHAVIOUR: 'silent', PORT: String(port) }, abort.signal);
    await until(() => answers(port), { what: 'it listens' });

    abort.abort(new Error('interrupted'));

    await expect(starting).rejects.toBe(abort.signal.reason);
    expect(await answers(port)).toBe(false);
  });
});

interface ProgramOptions {
  readonly port?: number;
  readonly lines?: string[];
  readonly environment?: Record<string, string>;
  readonly backoff?: { first: number; most: number };
  readonly steadyMs?: number;
  /** How long the program may be silent, in milliseconds. Set `port`, too: the supervisor asks at this port. */
  readonly silenceMs?: number;
}

interface Watched extends SupervisedPart, AsyncDisposable {
  /** The announced pauses, in milliseconds. */
  readonly pauses: readonly number[];
}

function runsAgain(part: SupervisedPart, restarts: number): boolean {
  const status = part.status();
  return status.restarts === restarts && status.state === 'running';
}

/** The small program that is supervised. */
async function supervisedProgram(folder: string, options: ProgramOptions): Promise<Watched> {
  const pauses: number[] = [];
  const part = supervise({
    name: 'program',
    start: async (signal) => {
      const environment = { PORT: String(options.port ?? 0), ...options.environment };
      return (await startProgram(folder, environment, signal)).server;
    },
    life: { ask: (signal) => hear(options.port ?? 0, signal), silenceMs: options.silenceMs ?? 0 },
  }, {
    backoff: options.backoff ?? quick,
    steadyMs: options.steadyMs ?? 60_000,
    report: (line) => options.lines?.push(line),
    changed: () => undefined,
    pausing: (milliseconds) => pauses.push(milliseconds),
  });
  await part.start(never);
  return {
    name: part.name,
    pauses,
    status: () => part.status(),
    start: (signal) => part.start(signal),
    retire: () => part.retire(),
    stop: () => part.stop(),
    [Symbol.asyncDispose]: async () => void (await part.stop()),
  };
}

function startProgram(
  folder: string,
  environment: Record<string, string>,
  signal: AbortSignal = never,
  readyMs = 20_000,
): ReturnType<typeof startService> {
  return startService({
    name: 'program',
    main: join(import.meta.dirname, '../testdata/program.ts'),
    environment: () => environment,
    workingDirectory: folder,
    logFile: join(folder, 'program.log'),
    readyMs,
    graceMs: 300,
  }, { reaper, signal });
}

async function freePort(): Promise<number> {
  return (await freePorts(1))[0]!;
}

/** Connects and waits for data. The program sends data to each client. */
async function hear(port: number, signal: AbortSignal): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1', signal });
  try {
    await once(socket, 'data', { signal });
  } finally {
    socket.destroy();
  }
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
