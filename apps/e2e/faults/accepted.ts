import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Surroundings } from '../src/platform.ts';
import type { Gateways } from './balancer.ts';

/** A connection that the kernel accepted and the process did not: it was still in the queue of its listener. */
export class NeverAccepted extends Error {
  override readonly name = 'NeverAccepted';
}

export interface Accepted extends AsyncDisposable {
  /** Options of a process that record the connections it accepts. */
  readonly surroundings: Surroundings;
  /** Returns clients that throw {@link NeverAccepted} if a call was lost on a connection that no process accepted. */
  watch(gateways: Gateways): Gateways;
}

interface Connection {
  /** Port of the server. */
  readonly to: number;
  /** Port of the client. */
  readonly from: number;
  /** Time in nanoseconds on the clock that all processes of a machine share. Needed because ports are reused. */
  readonly since: bigint;
}

/**
 * Distinguishes connections that a process accepted from those it never saw, by comparing its records with the ports of
 * the HTTP clients here.
 */
export async function noteAccepted(): Promise<Accepted> {
  const folder = await mkdtemp(join(tmpdir(), 'platform-accepted-'));
  const file = join(folder, 'connections');
  const connections = new WeakMap<Socket, Connection>();
  const lost = new WeakMap<Error, Connection>();
  const noteConnection = (message: unknown) => {
    const { socket } = message as { readonly socket: Socket };
    const since = process.hrtime.bigint();
    // Read the ports now, because a closed socket has none.
    socket.once('connect', () => {
      connections.set(socket, { to: socket.remotePort!, from: socket.localPort!, since });
    });
  };
  const noteLoss = (message: unknown) => {
    const { request, error } = message as { readonly request: ClientRequest; readonly error: Error };
    const connection = request.socket && connections.get(request.socket);
    if (connection) lost.set(error, connection);
  };
  subscribe('net.client.socket', noteConnection);
  subscribe('http.client.request.error', noteLoss);

  async function isAccepted({ to, from, since }: Connection): Promise<boolean> {
    const notes = (await readFile(file, 'utf8')).split('\n').map((line) => line.split(' '));
    return notes.some(([ours, theirs, at]) => Number(ours) === to && Number(theirs) === from && BigInt(at!) > since);
  }

  return {
    surroundings: {
      environment: {
        NODE_OPTIONS: `--import ${new URL('note-accepted.ts', import.meta.url).href}`, ACCEPTED_CONNECTIONS: file,
      },
    },
    watch: (gateways) => ({
      send: async (method, path, request) => {
        try {
          return await gateways.send(method, path, request);
        } catch (error) {
          // A client sees the end of an accepted connection after the process has recorded it.
          const connection = lost.get(error as Error);
          if (connection === undefined || await isAccepted(connection)) throw error;
          throw new NeverAccepted(String(error), { cause: error });
        }
      },
    }),
    [Symbol.asyncDispose]: async () => {
      unsubscribe('net.client.socket', noteConnection);
      unsubscribe('http.client.request.error', noteLoss);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
