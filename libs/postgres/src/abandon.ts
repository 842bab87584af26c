import { Socket } from 'node:net';
import pg from 'pg';

/** A pg client that owns its socket, so that its connection can be closed at once. */
export class OwnSocketClient extends pg.Client {
  readonly #socket: Socket;

  constructor(config: pg.ClientConfig = {}) {
    const socket = new Socket();
    // pg-pool makes the password non-enumerable, so `...config` omits it.
    super({ ...config, password: config.password, stream: () => socket });
    this.#socket = socket;
  }

  /** Closes the socket at once, without sending `Terminate` to PostgreSQL. */
  abandon(): void {
    this.#socket.destroy();
  }
}

/** Closes the connection without waiting for the server, which may be unreachable. */
export function abandon(client: pg.ClientBase): void {
  if (client instanceof OwnSocketClient) client.abandon();
  // A client of knex. While a statement is running, `end` closes the socket at once.
  else void (client as pg.Client).end().catch(() => undefined);
}
