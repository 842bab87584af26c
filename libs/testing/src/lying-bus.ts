import { createServer, type Socket } from 'node:net';
import { held } from './harness.ts';
import { listen } from './sockets.ts';

/** The behaviour of a lying bus. */
export type BusLie =
  /** Sends this at once in place of a greeting, and ignores everything it receives. */
  | { readonly says: string }
  /** Sends without end, but never a complete line. */
  | { readonly floods: true }
  /** Accepts every client, and answers every request with this text. Several texts look like several servers. */
  | { readonly answers: (subject: string) => string | readonly string[] };

/** A server that speaks NATS, but sends false data. Closed at the end of the spec file, or earlier by disposing. */
export interface LyingBus extends AsyncDisposable {
  /** `127.0.0.1:<port>` */
  readonly address: string;
  /** Number of open connections, and of all connections so far. */
  readonly open: number;
  readonly total: number;
  /** Sets the behaviour towards clients that connect from now on. At first the server sends nothing. */
  lie(lie: BusLie): void;
}

/** The greeting of a server. */
const greeting = 'INFO {"server_id":"N","version":"2.15.2","headers":true,"max_payload":1048576,"nonce":"abc"}\r\n';

export async function lyingBus(): Promise<LyingBus> {
  let lie: BusLie = { says: '' };
  const sockets = new Set<Socket>();
  let total = 0;
  const server = createServer((socket) => {
    total += 1;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    if ('says' in lie) say(socket, lie.says);
    else if ('floods' in lie) flood(socket);
    else converse(socket, lie.answers);
  });
  const address = await listen(server);
  return held({
    address,
    get open() {
      return sockets.size;
    },
    get total() {
      return total;
    },
    lie: (next) => void (lie = next),
    [Symbol.asyncDispose]: async () => {
      if (!server.listening) return;
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  });
}

function say(socket: Socket, text: string): void {
  socket.resume();
  socket.write(text);
}

function flood(socket: Socket): void {
  const piece = Buffer.alloc(65_536, 'INFO');
  const more = (): void => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.resume();
  socket.on('drain', more);
  more();
}

/** The part of the protocol that a client needs for requests. */
function converse(socket: Socket, answers: (subject: string) => string | readonly string[]): void {
  let heard = '';
  /** The single subscription with which a client receives all answers. */
  let subscription = '';
  socket.setEncoding('latin1');
  socket.on('data', (piece: string) => {
    heard += piece;
    for (let end = heard.indexOf('\r\n'); end >= 0; end = heard.indexOf('\r\n')) {
      const [verb, ...words] = heard.slice(0, end).split(' ');
      const payload = verb === 'PUB' || verb === 'HPUB' ? Number(words.at(-1)) + 2 : 0;
      if (heard.length < end + 2 + payload) return;
      heard = heard.slice(end + 2 + payload);
      if (verb === 'PING') socket.write('PONG\r\n');
      if (verb === 'SUB') subscription = words.at(-1)!;
      if (payload > 0 && words.length > 2) {
        for (const text of [answers(words[0]!)].flat()) {
          socket.write(`MSG ${words[1]} ${subscription} ${Buffer.byteLength(text)}\r\n${text}\r\n`);
        }
      }
    }
  });
  socket.write(greeting);
}
