import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';

/** A child process that runs a program of bench/ or an app. It ends when this process ends. */
export interface Running {
  pid: number;
  stop: () => void;
}

/** Starts a program of bench/ and waits until it sends its port. */
export async function start(file: string, ...args: string[]): Promise<Running & { port: number }> {
  const child = fork(join(import.meta.dirname, file), args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const { port } = (await firstMessage(child, file)) as { port: number };
  return { ...running(child), port };
}

/** Starts an app and waits until it is ready. Its standard output is discarded. */
export async function startApp(
  name: string,
  settings: Readonly<Record<string, string>>,
): Promise<Running & { addresses: Record<string, string> }> {
  const main = join(import.meta.dirname, '../apps', name, 'src/main.ts');
  const environment = { ...process.env, ...settings };
  const child = fork(main, [], { env: environment, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const { ready } = (await firstMessage(child, name)) as { ready: Record<string, string> };
  return { ...running(child), addresses: ready };
}

function running(child: ChildProcess): Running {
  return { pid: child.pid!, stop: () => child.disconnect() };
}

function firstMessage(child: ChildProcess, what: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${what} ended with code ${code} before its first message`)));
    child.once('message', resolve);
  });
}
