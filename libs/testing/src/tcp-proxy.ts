import { connect, createServer, type Socket } from 'node:net';
import { held } from './harness.ts';
import { listen } from './sockets.ts';

/** A TCP proxy whose connections a test can disturb. Closed at the end of the spec file, or earlier by disposing. */
export interface TcpProxy extends AsyncDisposable {
  /** `127.0.0.1:<port>`; never changes. */
  readonly address: string;
  readonly port: number;
  /** Number of open connections, and of all connections so far. */
  readonly connections: { readonly open: number; readonly total: number };
  /** Number of bytes that clients have sent so far, and of bytes that were passed on. */
  readonly bytes: { readonly fromClients: number; readonly toTarget: number; readonly fromTarget: number };
  /** From now on, no data passes in either direction; connections stay open and new ones are accepted. */
  hold(): void;
  /** From now on, each piece of data is delayed by this number of milliseconds in each direction. */
  delay(milliseconds: number): void;
  /** Passes this number of further bytes of the target's answers on each connection, then resets the connection. */
  cutAfter(bytes: number): void;
  /** Resets all connections at once. */
  cut(): void;
  /** From now on, connections lead to this server (`host:port`) instead of the target; open connections are reset. */
  divert(other: string): void;
  /** Refuses new connections and resets open ones. */
  refuse(): Promise<void>;
  /** Ends every disturbance: held data passes, and connections are accepted again. */
  release(): Promise<void>;
}

interface Disturbance {
  held: boolean;
  delay: number;
  /** Number of further bytes of answers on each connection; undefined for no limit. */
  answerBytes: number | undefined;
  /** Address of the server that replaces the target. */
  other: Address | undefined;
}

type Address = Readonly<{ host: string; port: number }>;

/** Opens a proxy in front of a TCP server. @param target `host:port`, or a URL with both. */
export async function tcpProxy(target: string): Promise<TcpProxy> {
  const usual = addressIn(target);
  const disturbance: Disturbance = { held: false, delay: 0, answerBytes: undefined, other: undefined };
  const bytes = { fromClients: 0, toTarget: 0, fromTarget: 0 };
  const links = new Set<Link>();
  let total = 0;

  function accept(client: Socket): void {
    total += 1;
    const onward = connect({ ...(disturbance.other ?? usual), allowHalfOpen: true, noDelay: true });
    const link = openLink(client, onward, disturbance, bytes);
    links.add(link);
    client.once('close', () => links.delete(link));
  }

  const server = createServer({ allowHalfOpen: true, noDelay: true }, accept);
  const address = await listen(server);
  const { port } = addressIn(address);

  function cut(): void {
    for (const link of links) link.reset();
  }

  function leadTo(other: Address | undefined): void {
    if (disturbance.other !== other) cut();
    disturbance.other = other;
  }

  async function refuse(): Promise<void> {
    const closed = new Promise((resolve) => server.close(resolve));
    cut();
    await closed;
  }

  function disturb(change: Partial<Disturbance>): void {
    Object.assign(disturbance, change);
    for (const link of links) link.disturbanceChanged();
  }

  async function release(): Promise<void> {
    leadTo(undefined);
    disturb({ held: false, delay: 0, answerBytes: undefined });
    if (!server.listening) await listen(server, port);
  }

  return held({
    address, port, bytes, cut, refuse, release,
    get connections() {
      return { open: links.size, total };
    },
    hold: () => disturb({ held: true }),
    delay: (milliseconds) => disturb({ delay: milliseconds }),
    cutAfter: (count) => disturb({ answerBytes: count }),
    divert: (other) => leadTo(addressIn(other)),
    [Symbol.asyncDispose]: async () => {
      if (server.listening) await refuse();
    },
  });
}

function addressIn(target: string): Address {
  const { hostname, port } = new URL(target.includes('://') ? target : `tcp://${target}`);
  return { host: hostname, port: Number(port) };
}

interface Link {
  reset(): void;
  /** Applies a changed disturbance: held data may pass, and a byte limit counts from now. */
  disturbanceChanged(): void;
}

function openLink(
  client: Socket, target: Socket, disturbance: Disturbance, bytes: Record<keyof TcpProxy['bytes'], number>,
): Link {
  let answerBytes = disturbance.answerBytes;

  function reset(): void {
    abort(client);
    abort(target);
  }

  const requests = pipe(client, target, disturbance, (chunk) => {
    bytes.toTarget += chunk.length;
    target.write(chunk);
  });
  client.on('data', (chunk) => void (bytes.fromClients += chunk.length));
  const answers = pipe(target, client, disturbance, (chunk) => {
    const passing = answerBytes === undefined ? chunk : chunk.subarray(0, answerBytes);
    bytes.fromTarget += passing.length;
    if (answerBytes === undefined) return void client.write(passing);
    answerBytes -= passing.length;
    // The reset follows after the permitted bytes have been sent.
    client.write(passing, () => {
      if (answerBytes === 0) reset();
    });
  });
  // If one side loses its connection, the other side does, too; 'close' follows.
  for (const socket of [client, target]) socket.on('error', reset);
  return {
    reset,
    disturbanceChanged() {
      answerBytes = disturbance.answerBytes;
      requests();
      answers();
    },
  };
}

/** Resets a connection. If it is already ending, closes it: after a reset, Node would keep its handle forever. */
function abort(socket: Socket): void {
  if (socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}

/** Passes data on in order, as far as the disturbance permits. Returns a function to call after it has changed. */
function pipe(from: Socket, to: Socket, disturbance: Disturbance, pass: (chunk: Buffer) => void): () => void {
  const waiting: { chunk: Buffer | 'end'; due: number }[] = [];
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    while (!disturbance.held && waiting[0] !== undefined) {
      const wait = disturbance.delay === 0 ? 0 : waiting[0].due - performance.now();
      if (wait > 0) {
        timer = setTimeout(flush, wait);
        return;
      }
      const { chunk } = waiting[0];
      waiting.shift();
      if (chunk === 'end') to.end();
      else pass(chunk);
    }
  }

  function take(chunk: Buffer | 'end'): void {
    waiting.push({ chunk, due: performance.now() + disturbance.delay });
    flush();
  }

  from.on('data', take);
  from.once('end', () => take('end'));
  from.once('close', () => clearTimeout(timer));
  return flush;
}
