import type { Server } from 'node:http';
import { Server as TcpServer, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pause } from '@platform/service';

/** The requests of a server. */
export interface Requests {
  /** How many have begun, ever. */
  readonly begun: number;
  readonly underWay: number;
  /** Resolves when none is under way. */
  idle(): Promise<void>;
}

/** Maximum number of moments: connections that keep sending, and all that wait with them, end with the process. */
const mostMoments = 3;
/** How many connections wait in the listener's queue at most (Node's default). Each iteration accepts one. */
const backlog = 511;

/**
 * Makes what ends a server whose every answer is its connection's last from now on. It closes the listener, answers
 * what was accepted, also the requests that are on their way over kept connections, and ends those that stay silent.
 * @param momentMs how long a connection may take to bring its request, or to take its answer, in milliseconds
 */
export function endingOf(server: Server, requests: Requests, momentMs: number): () => Promise<void> {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return async () => {
    // Closing resets the connections that wait in the listener's queue; each iteration of the loop accepts one.
    await lull();
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const allEnded = new AbortController();
    // That of TCP: the listener alone.
    TcpServer.prototype.close.call(server, () => {
      allEnded.abort();
      resolve();
    });
    for (let moment = 1; ; moment += 1) {
      const { begun, underWay } = requests;
      // Requests may still be arriving over kept connections, and answers may still be on their way.
      await pause(momentMs, allEnded.signal);
      await lull();
      // That of HTTP: ends the kept connections that were silent.
      server.close();
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
      if (moment === mostMoments || (underWay === 0 && requests.begun === begun)) break;
      await requests.idle();
    }
    // HTTP does not close connections with an unfinished TLS handshake or a partial request.
    for (const socket of open) socket.destroy();
    await closed;
  };
}

/**
 * Resolves after an iteration of the event loop without events: everything that came before has been read. Under load
 * there may be none; then after so many that each connection that waited has been accepted, however long they take.
 */
async function lull(): Promise<void> {
  await nextTurn();
  for (let turns = 0; turns < backlog; turns += 1) {
    const { events } = performance.nodeTiming.uvMetricsInfo;
    await nextTurn();
    if (performance.nodeTiming.uvMetricsInfo.events === events) return;
  }
}
