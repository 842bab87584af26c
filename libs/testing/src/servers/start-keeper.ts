import { fork } from 'node:child_process';
import { join } from 'node:path';

import { KeeperFault } from './ask-keeper.ts';
import type { KeeperMessage } from './keeper-protocol.ts';

/** The keeper of this run's servers, as the process sees it that started it. Disposing stops the servers. */
export interface Keeper extends AsyncDisposable {
  /** Path of its Unix socket: goes into the environment of its clients (`keeperVariable`). */
  readonly socket: string;
}

/**
 * Starts the keeper. Finding the servers may take minutes on a new machine (OpenFGA is built once per user).
 *
 * @param report receives a line of progress now and then.
 * @throws KeeperFault with a `BackingReason` when a server can neither be found nor built.
 */
export async function startKeeper(report: (line: string) => void): Promise<Keeper> {
  const child = fork(join(import.meta.dirname, 'keeper.ts'), {
    // A process group of its own: Ctrl-C in the terminal reaches the specs, and the keeper when they are gone.
    detached: true,
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const socket = await new Promise<string>((resolve, reject) => {
    child.on('message', (message: KeeperMessage) => {
      if (message.kind === 'report') {
        report(message.line);
      } else if (message.kind === 'ready') {
        resolve(message.socket);
      } else {
        reject(new KeeperFault(message.refusal.reason, message.refusal.message));
      }
    });
    void exited.then(() => reject(new KeeperFault('FAILED', 'The keeper of the servers ended before it was ready.')));
  });

  async function stop(): Promise<void> {
    if (child.connected) {
      child.disconnect();
    }
    await exited;
  }

  return { socket, [Symbol.asyncDispose]: stop };
}
