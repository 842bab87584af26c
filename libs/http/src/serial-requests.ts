import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';

interface Connection {
  /** Passes bytes of the connection to Node's parser. */
  readonly parse: (bytes: Buffer) => void;
  /** Bytes that were read but not parsed yet. */
  rest: Buffer;
  /** The request that is being served, and its answer. */
  current?: IncomingMessage | undefined;
  answer?: ServerResponse | undefined;
  /** Parsed requests that wait for their turn. They are few, because the other requests are kept in `rest`. */
  readonly waiting: { readonly request: IncomingMessage; readonly serve: () => void }[];
  /**
   * Ends the connection because a request was refused. Called when the earlier requests are answered. If `last` is
   * set, further bytes are discarded.
   */
  last?: () => void;
}

const endOfHeaders = '\r\n\r\n';
/**
 * Minimum bytes of a body that are parsed at once, if so many have arrived. Without this minimum, a body that repeats
 * `endOfHeaders` would be parsed in tiny portions.
 */
const leastOfBody = 256;
const none = Buffer.alloc(0);
/** Maximum unparsed bytes of all connections together. Above this maximum, a connection that sends more is cut. */
const mostHeld = 32 * 1024 * 1024;
/** If fewer bytes than this remain of a larger buffer, they are copied, so that the larger buffer can be freed. */
const largeRead = 16 * 1024;

/**
 * Serves the requests of a connection one after the other, even if the client sends several at once. So each request
 * sees the changes of earlier requests (RFC 9112 §9.3.2). Requests that must wait are kept as bytes. Node's request
 * objects would take much more memory (docs/borrowed-internals.md).
 */
export class SerialRequests {
  readonly #connections = new WeakMap<Duplex, Connection>();
  readonly #onCut: () => void;
  #held = 0;

  /** @param onCut called when a connection is cut because of `mostHeld` */
  constructor(onCut: () => void) {
    this.#onCut = onCut;
  }

  /** Takes over the incoming bytes of an HTTP server. @param event the event that announces a new connection */
  watch(server: Server, event: 'connection' | 'secureConnection'): void {
    server.on(event, (socket: Socket) => {
      const [parse] = socket.listeners('data') as Connection['parse'][];
      const connection: Connection = { parse: parse!, rest: none, waiting: [] };
      this.#connections.set(socket, connection);
      socket.on('data', (bytes: Buffer) => this.#take(socket, connection, bytes));
      socket.off('data', parse!);
      // While the socket is paused, bytes in `rest` are not parsed. Parse them when the socket resumes.
      socket.on('resume', () => this.#parse(socket, connection));
      socket.once('close', () => this.#keep(connection, none));
    });
  }

  oneByOne(listener: RequestListener): RequestListener {
    return (request, response) => {
      const connection = this.#connections.get(request.socket)!;
      const serve = () => this.#serve(listener, request, response, connection);
      if (connection.current === undefined) serve();
      else connection.waiting.push({ request, serve });
    };
  }

  /**
   * Refuses a request: calls `end` when the complete requests before the refused request are answered. `end` must end
   * the connection.
   */
  afterAll(socket: Duplex, end: () => void): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined) return end();
    if (connection.last) return;
    // An incomplete request is the refused request, so only `end` answers it.
    if (connection.current?.complete !== true) end();
    else if (connection.waiting.at(-1)?.request.complete === false) connection.waiting.pop();
    connection.last = end;
    this.#keep(connection, none);
  }

  /** Whether the current answer of the connection has begun. Another answer must then not be sent. */
  isAnswering(socket: Duplex): boolean {
    return this.#connections.get(socket)?.answer?.headersSent === true;
  }

  #take(socket: Socket, connection: Connection, bytes: Buffer): void {
    // The connection is about to end, so discard further data.
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

  /** Parses the bytes that have been read, up to the end of a request. */
  #parse(socket: Socket, connection: Connection): void {
    while (connection.rest.length > 0 && socket.writable && !socket.isPaused()) {
      const { rest, current } = connection;
      // Parse these bytes only after the current request is answered. Read no more until then.
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
    // If no further answer can be sent, drop the requests that the client has already sent.
    else if (!socket.writable) this.#keep(connection, none);
    else if (socket.isPaused()) socket.resume();
    else this.#parse(socket, connection);
  }
}
