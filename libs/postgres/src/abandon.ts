import { Socket } from 'node:net';
import pg from 'pg';

/** A client of pg whose connection can be closed at once, because the socket below it is its own. */
export class OwnSocketClient extends pg.Client {
  readonly #socket: Socket;

  constructor(config: pg.ClientConfig = {}) {
    const socket = new Socket();
    // pg-pool hides the password from enumeration.
    super({ ...config, password: config.password, stream: () => socket });
    this.#socket = socket;
  }

  /** Closes the connection without a farewell. */
  abandon(): void {
    this.#socket.destroy();
  }
}

/** Closes the socket without a farewell, which a server that is out of reach would never answer. */
export function abandon(client: pg.ClientBase): void {
  if (client instanceof OwnSocketClient) client.abandon();
  // A client of knex: pg closes the socket itself while a statement is under way.
  else void (client as pg.Client).end().catch(() => undefined);
}
