import { Socket } from 'node:net';
import pg from 'pg';

/** A pg client that owns its socket, so that its connection can be closed at once. */
export class OwnSocketClient extends pg.Client {
  readonly #socket: Socket;

  constructor(config: pg.ClientConfig = {}) {
    const socket = new Socket();
    // The password is passed explicitly, because pg-pool makes this property non-enumerable.
    super({ ...config, password: config.password, stream: () => socket });
    this.#socket = socket;
  }

  /** Closes the connection without telling the server. */
  abandon(): void {
    this.#socket.destroy();
  }
}

/** Closes the connection without waiting for the server, which may be unreachable. */
export function abandon(client: pg.ClientBase): void {
  if (client instanceof OwnSocketClient) client.abandon();
  // For a client of knex, pg closes the socket itself while a statement is running.
  else void (client as pg.Client).end().catch(() => undefined);
}
