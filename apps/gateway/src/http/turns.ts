import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';

interface Turn {
  readonly request: IncomingMessage;
  readonly serve: () => void;
}

interface Connection {
  /** Has Node's parser take bytes of it in. */
  readonly parse: (bytes: Buffer) => void;
  /** What has been read and not been parsed. */
  rest: Buffer;
  /** The request whose turn it is. */
  current?: IncomingMessage | undefined;
  /** Requests that were parsed along with one before: two at most, for bytes are parsed up to the end of headers. */
  readonly waiting: Turn[];
  /** What ends the connection once everything before is answered; nothing is parsed any more. */
  last?: () => void;
}

const endOfHeaders = '\r\n\r\n';
const none = Buffer.alloc(0);
/** Bytes that wait on all connections together; what reads beyond is cut. */
const mostHeld = 32 * 1024 * 1024;

/**
 * Has the requests of a connection served one after the other, whatever a client has sent ahead: what one changes the
 * next one sees (RFC 9112 §9.3.2), and one connection has one request under way. What is ahead stays bytes until then:
 * as requests of Node it would take a hundred times the memory.
 */
export class ConnectionTurns {
  readonly #connections = new WeakMap<Duplex, Connection>();
  #held = 0;

  /** Takes over what the connections of an HTTP server read. @param event that tells of one */
  watch(server: Server, event: 'connection' | 'secureConnection'): void {
    server.on(event, (socket: Socket) => {
      const [parse] = socket.listeners('data') as Connection['parse'][];
      const connection: Connection = { parse: parse!, rest: none, waiting: [] };
      this.#connections.set(socket, connection);
      socket.on('data', (bytes: Buffer) => this.#take(socket, connection, bytes));
      socket.off('data', parse!);
      // Node resumes reading at the end of each request.
      socket.on('resume', () => this.#parse(socket, connection));
      socket.once('close', () => this.#keep(connection, none));
    });
  }

  /** Calls the listener for each request when it is its turn. */
  inTurn(listener: RequestListener): RequestListener {
    return (request, response) => {
      const connection = this.#connections.get(request.socket)!;
      const serve = () => this.#serve(listener, request, response, connection);
      if (connection.current === undefined) serve();
      else connection.waiting.push({ request, serve });
    };
  }

  /** Ends the connection by this once the complete requests that came before are answered. */
  afterAll(socket: Duplex, end: () => void): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined) return end();
    if (connection.last) return;
    // The request that is not complete is the one that broke: it gets no answer but this end.
    if (connection.current?.complete !== true) end();
    else if (connection.waiting.at(-1)?.request.complete === false) connection.waiting.pop();
    connection.last ??= end;
  }

  #take(socket: Socket, connection: Connection, bytes: Buffer): void {
    const { rest } = connection;
    this.#keep(connection, rest.length === 0 ? bytes : Buffer.concat([rest, bytes]));
    this.#parse(socket, connection);
    if (this.#held > mostHeld) socket.destroy();
  }

  #keep(connection: Connection, rest: Buffer): void {
    this.#held += rest.length - connection.rest.length;
    connection.rest = rest;
  }

  /** Parses what has been read, up to the end of a request. */
  #parse(socket: Socket, connection: Connection): void {
    while (connection.rest.length > 0 && !socket.isPaused() && !socket.destroyed) {
      // More is read when all of it was parsed.
      if (connection.current?.complete) return void socket.pause();
      const { rest } = connection;
      const end = rest.indexOf(endOfHeaders) + endOfHeaders.length;
      const portion = end < endOfHeaders.length ? rest : rest.subarray(0, end);
      this.#keep(connection, rest.subarray(portion.length));
      if (!connection.last) connection.parse(portion);
    }
  }

  #serve(listener: RequestListener, request: IncomingMessage, response: ServerResponse, connection: Connection): void {
    connection.current = request;
    response.once('close', () => this.#next(request.socket, connection));
    listener(request, response as never);
  }

  #next(socket: Socket, connection: Connection): void {
    const next = connection.waiting.shift();
    if (next !== undefined && socket.writable) return next.serve();
    connection.current = undefined;
    connection.waiting.length = 0;
    if (connection.last) connection.last();
    else if (socket.isPaused()) socket.resume();
    else this.#parse(socket, connection);
  }
}
