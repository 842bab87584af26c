import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryRoot, smallDisk, until } from '@platform/testing';
import { documentedFetch } from './documented.ts';
import { platformCommand } from './operator-command.ts';

/** Content of `run.json` (operator.md §2). */
export interface RunFile {
  readonly baseUrl: string;
  /** Only on marketplaces. */
  readonly listenerUrl?: string;
  readonly pid: number;
  readonly grpc: Readonly<Record<string, string>>;
  readonly postgres: string;
  readonly nats: string;
  readonly openfga: { readonly url: string; readonly storeId: string; readonly modelId: string };
  /** Set only with `PLATFORM_TLS=auto`. */
  readonly tls?: { readonly ca: string; readonly certificate: string; readonly key: string };
  readonly admin: { readonly username: string; readonly token: string };
}

/** One part in the answer of `platform status --json`. */
export interface ReportedPart {
  readonly name: string;
  readonly state: string;
  readonly ready: boolean;
  readonly pid: number;
  readonly restarts: number;
  readonly lastExit?: string;
}

/** A cold start on a machine that is busy with other tests. */
const startWithin = 120_000;

/** A state folder with a space in its path, and the launchers started on it. */
export class PlatformState {
  readonly home: string;
  readonly runFile: string;
  /** Environment of all commands, with the variables that the user has set. */
  readonly #environment: Readonly<Record<string, string>>;
  readonly #launchers: Launcher[] = [];
  #unmount: () => Promise<void> = () => Promise.resolve();
  readonly #seen = new Set<number>();

  private constructor(home: string, settings: Readonly<Record<string, string>>) {
    this.home = home;
    this.runFile = join(home, 'run.json');
    this.#environment = environment({ PLATFORM_HOME: home, ...settings });
  }

  /** @param disk size in bytes of a separate disk, if the caller may mount one */
  static async create(settings: Readonly<Record<string, string>> = {}, disk?: number): Promise<PlatformState> {
    const state = new PlatformState(await mkdtemp(join(tmpdir(), 'platform e2e ')), settings);
    if (disk !== undefined) state.#unmount = await smallDisk(state.home, disk);
    return state;
  }

  /** Runs `npm start -- <arguments>` in its own process group, as a terminal does. */
  start(...argv: string[]): Launcher {
    const child = spawn('npm', ['start', '--', ...argv], {
      cwd: repositoryRoot, env: this.#environment, stdio: ['ignore', 'pipe', 'pipe'], detached: true,
    });
    const launcher = new Launcher(child, this);
    this.#launchers.push(launcher);
    return launcher;
  }

  /** Runs `platform <arguments>` in a separate process. */
  platform(...argv: string[]) {
    return platformCommand(argv, this.#environment);
  }

  /** The answer of `platform <arguments> --json`. @throws unless it prints one line of JSON with code 0 */
  async ask<Answer>(...argv: string[]): Promise<Answer> {
    const { code, stdout, stderr } = await this.platform(...argv, '--json');
    if (code !== 0 || stdout.trimEnd().includes('\n')) throw new Error(`code ${code}: ${stdout}${stderr}`);
    return JSON.parse(stdout) as Answer;
  }

  async parts(): Promise<readonly ReportedPart[]> {
    const { parts } = await this.ask<{ parts: readonly ReportedPart[] }>('status');
    for (const { pid } of parts) this.#seen.add(pid);
    return parts;
  }

  async run(): Promise<RunFile> {
    return JSON.parse(await readFile(this.runFile, 'utf8')) as RunFile;
  }

  /**
   * Processes started by a launcher on this state: those that name the folder in their arguments or environment, and
   * former parts (PostgreSQL under root keeps its data elsewhere).
   */
  async processes(): Promise<number[]> {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
    const found = await Promise.all(pids.map(async (pid) => {
      const read = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
      const texts = [await read('cmdline'), await read('environ')];
      return this.#seen.has(pid) || texts.some((text) => text.includes(this.home)) ? [pid] : [];
    }));
    const launchers = new Set(this.#launchers.map(({ pid }) => pid));
    return found.flat().filter((pid) => !launchers.has(pid));
  }

  async remove(): Promise<void> {
    for (const launcher of this.#launchers) await launcher.stop('SIGTERM');
    await this.#unmount();
    await rm(this.home, { recursive: true, force: true });
  }
}

/** A running `npm start`. */
export class Launcher {
  readonly #child: ChildProcess;
  readonly #state: PlatformState;
  readonly pid: number;
  readonly exited: Promise<number | null>;
  output = '';
  errors = '';

  constructor(child: ChildProcess, state: PlatformState) {
    this.#child = child;
    this.#state = state;
    this.pid = child.pid!;
    child.stdout?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (this.errors += chunk.toString()));
    this.exited = once(child, 'close').then(([code]) => code as number | null);
  }

  /** Waits until all parts answer. */
  async running(): Promise<RunFile> {
    const ended = (): boolean => this.#child.exitCode !== null;
    const runs = (): boolean => existsSync(this.#state.runFile) && this.output.includes('Calls to paste');
    await until(() => ended() || runs(), { within: startWithin, what: 'the platform runs' });
    if (ended()) throw new Error(`it ended: ${this.output}${this.errors}`);
    return this.#state.run();
  }

  /** Sends a signal to the whole process group, like Ctrl-C in a terminal; returns the exit code. */
  async stop(signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) process.kill(-this.pid, signal);
    return this.exited;
  }

  /** Sends SIGTERM to npm only, like a service manager; returns the exit code. */
  async terminate(): Promise<number | null> {
    process.kill(this.pid, 'SIGTERM');
    return this.exited;
  }

  /** Runs one of the curl commands that the launcher has printed. */
  async call(line: string): Promise<{ status: number; body: unknown }> {
    const parts = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
    const url = parts.find((part) => part.startsWith('http'))!;
    const option = (name: string): string[] => parts.filter((_, index) => parts[index - 1] === name);
    const headers = option('-H').map((header) => header.split(': ', 2) as [string, string]);
    const [method = 'GET'] = option('-X');
    const [body] = option('-d');
    const response = await documentedFetch(url, { method, headers, ...(body === undefined ? {} : { body }) });
    return { status: response.status, body: await response.json() };
  }

  /** The calls to paste. */
  get calls(): string[] {
    return [...this.output.matchAll(/^\s*curl (.*)$/gm)].map(([, line]) => line!);
  }
}

/** The environment of a user who has set no variable of the platform. */
function environment(more: Record<string, string>): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name]) => {
    return !name.startsWith('PLATFORM_') && !/^(npm_|NODE_OPTIONS$|INIT_CWD$|JEST_)/.test(name);
  });
  return { ...(Object.fromEntries(kept) as Record<string, string>), ...more };
}
