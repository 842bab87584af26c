import type pg from 'pg';

/** Closes the socket without a farewell, which a server that is out of reach would never answer. */
export function abandon(client: pg.ClientBase): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}
