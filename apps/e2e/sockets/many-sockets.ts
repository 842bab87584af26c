// A process that holds many connections to one port. Each connection sends the same bytes and then, optionally, further
// bytes at an interval. An IPC message reports that all are open; on request the process reports how many are still
// open, and reopens closed ones. It ends with its parent.
import { connect, type Socket } from 'node:net';

/** `argv[2]` as JSON. */
export interface ManySockets {
  readonly port: number;
  readonly count: number;
  /** Bytes that every connection sends at its start. */
  readonly bytes: string;
  /** Bytes that every connection sends at each interval. */
  readonly drip: string;
  readonly everyMs: number;
}

const { port, count, bytes, drip, everyMs } = JSON.parse(process.argv[2]!) as ManySockets;
/** Number of connections to open at once: as many as fit into the backlog of a server. */
const atOnce = 200;
const open = new Set<Socket>();
let taken = 0;

function one(): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      open.add(socket);
      taken += 1;
      if (bytes !== '') socket.write(bytes);
      resolve();
    });
    socket.on('error', () => resolve());
    socket.on('close', () => open.delete(socket));
    socket.resume();
  });
}

async function fill(): Promise<void> {
  const missing = count - open.size;
  for (let begun = 0; begun < missing; begun += atOnce) {
    await Promise.all(Array.from({ length: Math.min(atOnce, missing - begun) }, one));
  }
}

await fill();
if (drip !== '') setInterval(() => open.forEach((socket) => socket.write(drip)), everyMs);
process.send!({ taken, open: open.size });
process.on('message', (wish: 'how many' | 'fill') => {
  void (wish === 'fill' ? fill() : Promise.resolve()).then(() => process.send!({ taken, open: open.size }));
});
process.once('disconnect', () => process.exit());
