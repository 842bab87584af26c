import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** A request that was parsed along with one before. */
interface Waiting {
  readonly request: IncomingMessage;
  readonly serve: () => void;
}

interface Connection {
  /** Passes bytes of it to Node's parser. */
  readonly parse: (bytes: Buffer) => void;
  /** Bytes that were read but not parsed yet. */
  rest: Buffer;
  /** The request that is served. */
  current?: IncomingMessage | undefined;
  /** Its answer. */
  answer?: ServerResponse | undefined;
  /** Few, because bytes are parsed up to the end of headers. */
  readonly waiting: Waiting[];
  /** Ends the connection when everything before is answered; nothing is parsed any more. */
  last?: () => void;
}

const endOfHeaders = '\r\n\r\n';
/** A body may hold what looks like the end of headers, again and again. */
const leastOfBody = 256;
const none = Buffer.alloc(0);
/** Bytes that wait on all connections together; beyond that, a connection that sends more ahead is cut. */
const mostHeld = 32 * 1024 * 1024;
/** What little is left of a read this large is copied, so that it does not keep the rest of it in memory. */
const largeRead = 16 * 1024;

/**
 * Serves the requests of a connection one after the other, also those that a client has sent ahead: each sees what the
 * one before has changed (RFC 9112 §9.3.2), and a connection has one request under way. What is ahead stays bytes until
 * then: as requests of Node it would take many times the memory (docs/borrowed-internals.md).
 */
export class SerialRequests {
  readonly #connections = new WeakMap<Duplex, Connection>();
  readonly #onCut: () => void;
  #held = 0;

  /** @param onCut called when a connection is cut, because all together have sent too much ahead */
  constructor(onCut: () => void) {
    this.#onCut = onCut;
  }

  /** Takes over what the connections of an HTTP server read. @param event of a new one */
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

  /** Calls the listener for each request when the ones before it are answered. */
  oneByOne(listener: RequestListener): RequestListener {
    return (request, response) => {
      const connection = this.#connections.get(request.socket)!;
      const serve = () => this.#serve(listener, request, response, connection);
      if (connection.current === undefined) serve();
      else connection.waiting.push({ request, serve });
    };
  }

  /** Ends the connection by `end` when the complete requests that came before are answered. */
  afterAll(socket: Duplex, end: () => void): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined) return end();
    if (connection.last) return;
    // The request that is not complete is the one that broke: it gets no answer but this end.
    if (connection.current?.complete !== true) end();
    else if (connection.waiting.at(-1)?.request.complete === false) connection.waiting.pop();
    connection.last = end;
    this.#keep(connection, none);
  }

  /** Whether an answer has begun on the connection and not ended: another one must not be mixed into it. */
  isAnswering(socket: Duplex): boolean {
    return this.#connections.get(socket)?.answer?.headersSent === true;
  }

  #take(socket: Socket, connection: Connection, bytes: Buffer): void {
    // What comes after a connection's last answer is discarded.
    if (connection.last || !socket.writable) return;
    const { rest } = connection;
    this.#keep(connection, rest.length === 0 ? bytes : Buffer.concat([rest, bytes]));
    this.#parse(socket, connection);
    if (connection.rest.length === 0) return;
    if (this.#held > mostHeld) {
      this.#keep(connection, none);
      socket.destroy();
      this.#onCut();
    } else if (connection.rest.length < largeRead && connection.rest.buffer.byteLength > largeRead) {
      this.#keep(connection, Buffer.from(connection.rest));
    }
  }

  #keep(connection: Connection, rest: Buffer): void {
    this.#held += rest.length - connection.rest.length;
    connection.rest = rest;
  }

  /** Parses what has been read, up to the end of a request. */
  #parse(socket: Socket, connection: Connection): void {
    while (connection.rest.length > 0 && socket.writable && !socket.isPaused()) {
      const { rest, current } = connection;
      // More is read when all of it was parsed.
      if (current?.complete) return void socket.pause();
      const found = rest.indexOf(endOfHeaders, current === undefined ? 0 : leastOfBody);
      const portion = found === -1 ? rest : rest.subarray(0, found + endOfHeaders.length);
      this.#keep(connection, rest.subarray(portion.length));
      connection.parse(portion);
    }
  }

  #serve(listener: RequestListener, request: IncomingMessage, response: ServerResponse, connection: Connection): void {
    connection.current = request;
    connection.answer = response;
    response.once('close', () => this.#next(request.socket, connection));
    listener(request, response as never);
  }

  #next(socket: Socket, connection: Connection): void {
    connection.answer = undefined;
    const next = connection.waiting.shift();
    if (next !== undefined && socket.writable) return next.serve();
    connection.current = undefined;
    connection.waiting.length = 0;
    if (connection.last) connection.last();
    // That was the last answer: what is ahead would be carried out without an answer.
    else if (!socket.writable) this.#keep(connection, none);
    else if (socket.isPaused()) socket.resume();
    else this.#parse(socket, connection);
  }
}
