import type { Server } from 'node:http';
import { Server as TcpServer, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pause } from '@platform/service';

export interface Requests {
  /** Number of requests that have begun since the start of the server. */
  readonly begun: number;
  readonly underWay: number;
  /** Resolves when no request is under way. */
  idle(): Promise<void>;
}

/** Maximum number of waits of `momentMs`. Afterwards, all open connections are closed, even if they still send data. */
const mostMoments = 3;
/** Size of the listener's queue of connections (Node's default). */
const backlog = 511;

/**
 * Returns a function that ends a server. Call this function after draining, so that each answer closes its connection.
 * The function closes the listener. It waits for requests under way or in transit. Then it closes all connections.
 * @param momentMs duration of one wait for requests and answers in transit, in milliseconds
 */
export function endingOf(server: Server, requests: Requests, momentMs: number): () => Promise<void> {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return async () => {
    // Closing the listener resets the connections that wait in its queue, so accept them first.
    await lull();
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const allEnded = new AbortController();
    // `close` of the TCP server closes only the listener.
    TcpServer.prototype.close.call(server, () => {
      allEnded.abort();
      resolve();
    });
    for (let moment = 1; ; moment += 1) {
      const { begun, underWay } = requests;
      // Requests may still be arriving over keep-alive connections, and answers may still be on their way.
      await pause(momentMs, allEnded.signal);
      await lull();
      // `close` of the HTTP server also closes the idle keep-alive connections.
      server.close();
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
      if (moment === mostMoments || (underWay === 0 && requests.begun === begun)) break;
      await requests.idle();
    }
    // `close` does not close connections with an unfinished TLS handshake or a partial request.
    for (const socket of open) socket.destroy();
    await closed;
  };
}

/**
 * Waits for an iteration of the event loop without events. Everything that arrived before the call has then been read.
 * Under load, every iteration may have events. Therefore, the wait ends after `backlog` iterations at the latest.
 */
async function lull(): Promise<void> {
  await nextTurn();
  for (let turns = 0; turns < backlog; turns += 1) {
    const { events } = performance.nodeTiming.uvMetricsInfo;
    await nextTurn();
    if (performance.nodeTiming.uvMetricsInfo.events === events) return;
  }
}
