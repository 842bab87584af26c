import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

interface Turn {
  readonly request: IncomingMessage;
  readonly serve: () => void;
}

interface Turns {
  current: IncomingMessage;
  readonly waiting: Turn[];
  /** What ends the connection once everything before is answered. */
  last?: () => void;
}

/**
 * Has the requests of a connection served one after the other, whatever a client has sent ahead: what one changes the
 * next one sees (RFC 9112 §9.3.2), and one connection has one request under way.
 */
export class ConnectionTurns {
  readonly #bySocket = new WeakMap<Duplex, Turns>();

  /** Calls the listener for each request when it is its turn. */
  inTurn(listener: RequestListener): RequestListener {
    return (request, response) => {
      const { socket } = request;
      const turns = this.#bySocket.get(socket);
      const serve = () => this.#serve(listener, request, response);
      if (turns === undefined) return serve();
      turns.waiting.push({ request, serve });
      // What has been read is in memory; more is read when the last of it has its turn. Node itself resumes reading at
      // the end of each request, so that it can be paused only after that.
      process.nextTick(() => turns.waiting.length > 0 && socket.pause());
    };
  }

  /** Ends the connection by this once the complete requests that came before are answered. */
  afterAll(socket: Duplex, end: () => void): void {
    const turns = this.#bySocket.get(socket);
    // The request that is not complete is the one that broke: it gets no answer but this end.
    if (turns === undefined || !turns.current.complete) return end();
    if (turns.waiting.at(-1)?.request.complete === false) turns.waiting.pop();
    turns.last ??= end;
  }

  #serve(listener: RequestListener, request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const turns = this.#bySocket.get(socket) ?? { current: request, waiting: [] };
    turns.current = request;
    this.#bySocket.set(socket, turns);
    response.once('close', () => this.#next(socket, turns));
    listener(request, response as never);
  }

  #next(socket: Duplex, turns: Turns): void {
    const next = turns.waiting.shift();
    if (next === undefined || !socket.writable) {
      this.#bySocket.delete(socket);
      turns.last?.();
      return;
    }
    if (turns.waiting.length === 0) socket.resume();
    next.serve();
  }
}
