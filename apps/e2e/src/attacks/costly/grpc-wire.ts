import { type ClientHttp2Session, connect, type OutgoingHttpHeaders } from 'node:http2';

/** A gRPC client that sends any bytes as a message, with any headers. */
export interface GrpcWire extends Disposable {
  /**
   * The status of the answer, such as `grpc 3`, or `cut` if there is none. Headers replace the usual ones.
   *
   * @param request the messages of the call, each in its frame
   */
  call(path: string, headers: OutgoingHttpHeaders, request: Uint8Array): Promise<string>;
}

/** A message with its prefix of five bytes. The first byte, the flag, is 1 for a compressed message. */
export function framed(message: Uint8Array, flag = 0): Buffer {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt8(flag);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

/** Time limit of a call, in milliseconds. */
const longestCall = 20_000;

/**
 * Most megabytes that a connection may use. Node keeps counting unsent data of a call that was reset; above the default
 * of 10 it resets each further call when its answer arrives.
 */
const maxSessionMemory = 1_000;

/** @param address `host:port` */
export function grpcWire(address: string): GrpcWire {
  let session: ClientHttp2Session | undefined;

  function connected(): ClientHttp2Session {
    if (session === undefined || session.closed || session.destroyed) {
      session = connect(`http://${address}`, { maxSessionMemory });
      // A closed session rejects each of its calls, so this event needs no handler of its own.
      session.on('error', () => undefined);
    }
    return session;
  }

  return {
    call: (path, headers, request) => new Promise((resolve) => {
      const usual = { ':method': 'POST', ':path': path, 'content-type': 'application/grpc', 'te': 'trailers' };
      const stream = connected().request({ ...usual, ...headers }, { signal: AbortSignal.timeout(longestCall) });
      let status: unknown;
      stream
        .on('response', (answered) => void (status = answered['grpc-status']))
        .on('trailers', (trailers) => void (status ??= trailers['grpc-status']))
        .on('error', () => undefined)
        .once('close', () => resolve(status === undefined ? 'cut' : `grpc ${String(status)}`))
        .resume();
      stream.end(request);
    }),
    [Symbol.dispose]: () => void session?.destroy(),
  };
}
