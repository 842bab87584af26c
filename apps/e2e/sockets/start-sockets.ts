import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { ManySockets } from './many-sockets.ts';

export interface SocketCounts {
  /** Number of connections that were open at some time. */
  readonly taken: number;
  readonly open: number;
}

/** Connections of a separate process; disposing ends them. */
export interface StartedSockets extends Disposable {
  /** Resolves when all connections have been tried. */
  readonly opened: Promise<SocketCounts>;
  /** Returns the present counts. */
  ask(): Promise<SocketCounts>;
  /** Reopens closed connections. */
  fill(): Promise<SocketCounts>;
}

export function startSockets(sockets: ManySockets): StartedSockets {
  const main = join(import.meta.dirname, 'many-sockets.ts');
  const child: ChildProcess = fork(main, [JSON.stringify(sockets)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const told = async () => {
    const [answer] = await once(child, 'message', { signal: AbortSignal.timeout(120_000) });
    return answer as SocketCounts;
  };
  const wish = (what: 'how many' | 'fill') => {
    child.send(what);
    return told();
  };
  return {
    opened: told(),
    ask: () => wish('how many'),
    fill: () => wish('fill'),
    [Symbol.dispose]: () => void child.kill(),
  };
}
