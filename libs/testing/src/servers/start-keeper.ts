import { fork } from 'node:child_process';
import { join } from 'node:path';
import { KeeperFault } from './ask-keeper.ts';
import type { KeeperMessage } from './keeper-protocol.ts';

/** The keeper of this run's servers, for the process that started it. Disposing stops the servers. */
interface Keeper extends AsyncDisposable {
  /** Path of its Unix socket; passed to its clients in the environment (`keeperVariable`). */
  readonly socket: string;
}

/** The longest stop of all servers, in milliseconds. A server that hangs must not hang the run. */
const stopMs = 120_000;

/**
 * Starts the keeper. Finding the servers may take minutes on a new machine (OpenFGA is built once per user).
 * @param report receives lines about the progress.
 * @throws KeeperFault with a `BackingReason` if a server can neither be found nor built.
 */
export async function startKeeper(report: (line: string) => void): Promise<Keeper> {
  const child = fork(join(import.meta.dirname, 'keeper.ts'), {
    // The keeper has its own process group: Ctrl-C in the terminal stops the specs, and the keeper ends after them.
    detached: true, execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const socket = await new Promise<string>((resolve, reject) => {
    child.on('message', (message: KeeperMessage) => {
      if (message.kind === 'report') report(message.line);
      else if (message.kind === 'ready') resolve(message.socket);
      else reject(new KeeperFault(message.refusal.reason, message.refusal.message));
    });
    void exited.then(() => reject(new KeeperFault('FAILED', 'The keeper of the servers ended before it was ready.')));
  });

  async function stop(): Promise<void> {
    if (child.connected) child.disconnect();
    const limit = setTimeout(() => {
      console.error(`the servers of this run did not stop within ${stopMs} ms and are killed`);
      process.kill(-child.pid!, 'SIGKILL');
    }, stopMs);
    await exited.finally(() => clearTimeout(limit));
  }

  return { socket, [Symbol.asyncDispose]: stop };
}
