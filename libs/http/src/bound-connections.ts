import type { Server } from 'node:http';
import { type Logger, type Readiness, seldom } from '@platform/service';

/** File handles kept for what the gateway itself opens, and for its admin address; of few, a quarter. */
const keptHandles = 256;

/**
 * Closes new connections while there are as many as file handles allow, so that those there are can be served and the
 * services behind are reached. Probes are answered meanwhile at the admin address, which keeps its handles. There it is
 * mentioned and no reason to be sent nothing: a client that fills one replica would be passed on to the next one.
 * @param fileHandles how many this process may have
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
