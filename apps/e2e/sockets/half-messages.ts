import { connect } from 'node:http2';

/** Calls whose messages never end; disposing cancels them. */
export interface HalfMessages extends Disposable {
  /** Number of refused calls. */
  readonly refused: number;
}

const piece = Buffer.alloc(64 * 1024);

/** Begins gRPC calls without credentials, each on its own connection, and sends this many bytes of each message. */
export function sendHalfMessages(address: string, path: string, count: number, bytes: number): HalfMessages {
  const sessions = Array.from({ length: count }, () => connect(`http://${address}`));
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(2 * bytes, 1);
  let refused = 0;
  for (const session of sessions) {
    session.on('error', () => undefined);
    const stream = session.request({
      ':method': 'POST', ':path': path, 'content-type': 'application/grpc', 'te': 'trailers',
    });
    stream.on('error', () => undefined).on('response', () => void (refused += 1)).resume();
    stream.write(prefix);
    let left = bytes;
    const send = (): void => {
      let isRoom = true;
      while (isRoom && left > 0 && !stream.destroyed && !stream.closed) {
        left -= piece.length;
        isRoom = stream.write(piece);
      }
    };
    stream.on('drain', send);
    send();
  }
  return {
    get refused() {
      return refused;
    },
    [Symbol.dispose]: () => sessions.forEach((session) => session.destroy()),
  };
}
