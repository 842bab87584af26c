import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the range from which systems assign ports, so that no other program takes a chosen port before its use. */
const range = { from: 15_000, to: 31_000 };
/** Each jest worker has its own share of the range, so no other worker takes a chosen port before its use. */
const shares = 8;
const size = (range.to - range.from) / shares;
const first = range.from + (Number(process.env['JEST_WORKER_ID'] ?? 0) % shares) * size;
/** Ports that this spec file has received. */
const given = new Set<number>();

/** A port of 127.0.0.1 that was free a moment ago. Use port 0 instead for a server that is not restarted. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = first + randomInt(size);
    if (given.has(port)) continue;
    given.add(port);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' || error.code === 'EACCES' ? resolve(false) : reject(error),
    );
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
