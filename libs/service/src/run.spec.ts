import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { ReadyMessage } from './run.ts';

interface Run {
  readonly child: ChildProcess;
  readonly ready: Promise<ReadyMessage>;
  /** Resolves with the exit of the process and the lines that it wrote. */
  readonly ended: Promise<{ code: number | null; signal: string | null; lines: Record<string, unknown>[] }>;
  line(message: string): Promise<void>;
}

const running = new Set<ChildProcess>();

afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
});

function run(...args: readonly string[]): Run {
  const program = fileURLToPath(new URL('./fixtures/service-process.ts', import.meta.url));
  const environment = { PATH: process.env['PATH'], PLATFORM_HTTP_PORT: 'eighty' };
  const child = fork(program, args, { silent: true, env: environment, execArgv: [] });
  running.add(child);
  let output = '';
  const { stdout } = child;
  if (stdout === null) throw new TypeError('the output of the process is not piped');
  stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  const ended = Promise.all([once(child, 'exit'), once(stdout, 'end')]).then(([[code, signal]]) => {
    running.delete(child);
    const lines = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    return { code: code as number | null, signal: signal as string | null, lines };
  });
  const ready = once(child, 'message').then(([message]) => message as ReadyMessage);
  const line = (message: string): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (output.includes(`"${message}"`)) resolve();
      };
      stdout.on('data', look);
      look();
    });
  return { child, ready, ended, line };
}

const messages = (lines: readonly Record<string, unknown>[]): unknown[] => lines.map(({ message }) => message);

describe('runService', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('announces its addresses, and stops on %s with code 0', async (signal) => {
    const { child, ready, ended } = run('well');
    expect(await ready).toEqual({ ready: { http: '127.0.0.1:1' } });
    child.kill(signal);
    const { code, lines } = await ended;
    expect(code).toBe(0);
    expect(messages(lines)).toContain('released');
  });

  it('stops when its launcher goes away', async () => {
    const { child, ready, ended } = run('well');
    await ready;
    child.disconnect();
    const { code, lines } = await ended;
    expect(code).toBe(0);
    expect(messages(lines)).toContain('released');
  });

  it('stops also while it starts: then a start that gives up is no failure', async () => {
    const { child, ended, line } = run('waiting');
    await line('waiting');
    child.kill('SIGTERM');
    const { code, lines } = await ended;
    expect(code).toBe(0);
    expect(messages(lines)).toEqual(['waiting', 'stopping', 'the start was abandoned', 'stopped']);
  });

  it('ends at once on a second signal', async () => {
    const { child, ready, ended, line } = run('stuck', 'long');
    await ready;
    child.kill('SIGTERM');
    await line('stopping');
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 143 });
  });

  it('ends with code 1 when stopping takes too long', async () => {
    const { child, ready, ended } = run('stuck');
    await ready;
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 1 });
  });

  it('says in one line what is wrong with its configuration, and ends with code 1', async () => {
    const { code, lines } = await run('bad-config').ended;
    expect(code).toBe(1);
    expect(lines).toEqual([
      expect.objectContaining({ level: 'fatal', problems: [expect.anything(), expect.anything()] }),
    ]);
  });

  it('says in one line why it cannot start, and ends with code 1', async () => {
    const { code, lines } = await run('failing-start').ended;
    expect(code).toBe(1);
    expect(lines).toEqual([
      expect.objectContaining({ level: 'fatal', error: expect.objectContaining({ message: 'no database' }) }),
    ]);
  });

  it.each(['uncaught', 'rejected'])(
    'logs what nobody caught (%s), releases what it holds and ends with code 1',
    async (how) => {
      const { code, lines } = await run(how).ended;
      expect(code).toBe(1);
      expect(lines).toContainEqual(
        expect.objectContaining({ level: 'fatal', error: expect.objectContaining({ message: 'unexpected' }) }),
      );
      expect(messages(lines)).toContain('released');
    },
  );

  it('ends, and names the leak, when something still holds the process', async () => {
    const { child, ready, ended } = run('leaking');
    await ready;
    child.kill('SIGTERM');
    const { code, lines } = await ended;
    expect(code).toBe(0);
    expect(lines.at(-1)).toMatchObject({ level: 'warn', resources: expect.arrayContaining(['Timeout']) });
  });

  it('bounds the memory of unused buffers', async () => {
    const { child, ready, ended } = run('streaming');
    await ready;
    child.kill('SIGTERM');
    const { lines } = await ended;
    const { mebibytes } = lines.find(({ message }) => message === 'streamed')!;
    expect(mebibytes).toBeLessThan(32);
  });
});
