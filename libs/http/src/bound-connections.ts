import type { Server } from 'node:http';
import { type Logger, type Readiness, seldom } from '@platform/service';

/** Number of file handles that connections leave free, or a quarter of all file handles if that is less. */
const keptHandles = 256;

/**
 * Limits the number of open connections of a server. The server closes further connections. So some file handles stay
 * free, for example for probes at the admin address. At the limit, the readiness report mentions the connections, but
 * the service stays ready. Otherwise, a client that fills one replica would be sent to the next replica.
 */
export function boundConnections(
  server: Server, fileHandles: number, { log, readiness }: { readonly log: Logger; readonly readiness: Readiness },
): void {
  if (fileHandles === Infinity) return;
  const most = fileHandles - Math.min(keptHandles, Math.ceil(fileHandles / 4));
  server.maxConnections = most;
  const said = seldom();
  server.on('drop', () => {
    const leftOut = said('closed');
    if (leftOut === undefined) return;
    log.warn({ most, closed: leftOut + 1 }, 'the limit of connections is reached: new connections are closed');
  });
  readiness.mentions('connections', async () => {
    const count = await new Promise<number>((resolve, reject) => {
      server.getConnections((error, found) => (error ? reject(error) : resolve(found)));
    });
    if (count >= most) throw new Error(`there are ${count} connections, which is the limit`);
  });
}
