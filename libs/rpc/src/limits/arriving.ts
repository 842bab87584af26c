import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import { deadlineExceeded, type Fault, unavailable } from '@platform/faults';
import { CallersMemory, type SourceAddress, sourceOf } from '@platform/limits';
import { type Logger, seldom } from '@platform/service';
import type { ShownCredentials } from '../credential.ts';
import { refusal } from '../faults/status.ts';
import { wire } from '../wire/wire.ts';
import { boundLeaving, type LeavingLimits, usualLeavingLimits } from './leaving.ts';

/** What messages may take that are on their way from callers who are no services of ours. */
export interface ArrivingLimits {
  /** Bytes of all of them together, a quarter of it for one source. */
  readonly bytes: number;
  /** Milliseconds until a message must be there. */
  readonly withinMs: number;
  /** Milliseconds that what is on its way when the server stops still has. */
  readonly stopMs: number;
  /** Of what those callers then leave behind. */
  readonly leaving: LeavingLimits;
}

export const usualArrivingLimits: ArrivingLimits = {
  bytes: 96 * 1024 * 1024, withinMs: 30_000, stopMs: 1_000, leaving: usualLeavingLimits,
};

/** What a call takes besides its message, and each piece of a message besides its bytes: more time than memory. */
const callBytes = 8 * 1024;
const pieceBytes = 512;

/** Node announces each stream before grpc-js has it. */
const created = 'http2.server.stream.created';

export interface ArrivingOptions {
  /** Of the server, which is one of several in the process of a test. */
  readonly port: number;
  readonly isService: (shown: ShownCredentials) => boolean;
  readonly sourceAddress: SourceAddress;
  readonly log: Logger;
  readonly limits: ArrivingLimits;
}

/** Refuses messages that take too much or too long, until it is disposed of. */
export interface Arriving extends Disposable {
  /** Refuses in a moment what is still on its way then, so that it does not keep the server from stopping. */
  stop(): void;
}

/**
 * Bounds what callers have a server hold before it knows what they want. grpc-js hands a call on when its message is
 * whole, and until then keeps what there is of it, of any number of calls, for any time.
 */
export function boundArriving({ port, isService, sourceAddress, log, limits }: ArrivingOptions): Arriving {
  const memory = new CallersMemory(limits.bytes);
  const onTheirWay = new Map<ServerHttp2Stream, (fault: Fault) => void>();
  const said = seldom();
  const leaving = boundLeaving(log, limits.leaving);
  let stop: NodeJS.Timeout | undefined;

  function watch(message: unknown): void {
    const { stream, headers } = message as { stream: ServerHttp2Stream; headers: IncomingHttpHeaders };
    const socket = stream.session?.socket;
    if (socket?.localPort !== port) return;
    limitTimeout(headers);
    if (fromService(headers)) return;
    refuseCompressed(headers);
    const source = sourceOf(sourceAddress(socket.remoteAddress ?? '', textOf(headers['x-forwarded-for'])));
    leaving.watch(stream, source);
    let held = 0;
    const take = (bytes: number): boolean => {
      const fits = memory.take(bytes, source);
      if (fits) held += bytes;
      return fits;
    };
    const refuseForMemory = (): void => {
      const leftOut = said(source);
      if (leftOut !== undefined) log.warn({ source, leftOut }, 'arriving messages exceed their memory limit');
      refuse(unavailable('memory for the message'));
    };
    const count = (piece: Buffer): void => {
      if (!take(piece.length + pieceBytes)) refuseForMemory();
    };
    const timer = setTimeout(() => refuse(deadlineExceeded()), limits.withinMs);
    const arrived = (): void => {
      clearTimeout(timer);
      stream.off('data', count).off('end', arrived);
      onTheirWay.delete(stream);
    };
    const refuse = (fault: Fault): void => {
      arrived();
      answer(stream, fault);
    };
    onTheirWay.set(stream, refuse);
    // Paused as it came: grpc-js reads it once it listens, too.
    stream.on('data', count).on('end', arrived).pause();
    stream.once('close', () => {
      arrived();
      memory.give(held, source);
    });
    // Not before grpc-js has it, which answers it otherwise.
    if (!take(callBytes)) setImmediate(refuseForMemory);
  }

  /** Who has a certificate of the platform but not its credential is counted like everybody else. */
  function fromService(headers: IncomingHttpHeaders): boolean {
    const serviceCredential = textOf(headers[wire.serviceCredential]);
    return serviceCredential !== undefined && isService({ serviceCredential, certificate: undefined });
  }

  subscribe(created, watch);
  return {
    stop: () => {
      stop = setTimeout(() => onTheirWay.forEach((refuse) => refuse(unavailable('the service'))), limits.stopMs);
    },
    [Symbol.dispose]: () => {
      clearTimeout(stop);
      unsubscribe(created, watch);
      leaving[Symbol.dispose]();
    },
  };
}

/** The longest timeout that a timer of Node takes, in seconds. */
const longestTimeout = 2_147_483;
const secondsOf: Readonly<Record<string, number>> = { H: 3_600, M: 60, S: 1, m: 1e-3, u: 1e-6, n: 1e-9 };

/** A timeout beyond 2^31 ms is 24 days, which is as good: grpc-js computes with 32 bits, and ends the call at once. */
function limitTimeout(headers: IncomingHttpHeaders): void {
  const [, digits = '', unit = ''] = /^(\d{1,8})\s*([HMSmun])$/.exec(textOf(headers['grpc-timeout']) ?? '') ?? [];
  if (Number(digits) * secondsOf[unit]! > longestTimeout) headers['grpc-timeout'] = `${longestTimeout}S`;
}

/**
 * Nothing is inflated for those who are no services of ours: 64 KiB would become 64 MiB before anybody looks at the
 * token. grpc-js refuses compressed messages in an encoding that it does not know, and takes messages that are not.
 */
function refuseCompressed(headers: IncomingHttpHeaders): void {
  const encoding = textOf(headers['grpc-encoding']) ?? 'identity';
  if (encoding !== 'identity') headers['grpc-encoding'] = `${encoding} (not taken here)`;
}

/** Answers in place of grpc-js, which takes the call for one whose caller has gone. */
function answer(stream: ServerHttp2Stream, fault: Fault): void {
  if (!stream.headersSent && !stream.destroyed) {
    const { code, details, metadata } = refusal(fault);
    stream.respond({
      ':status': 200,
      'content-type': 'application/grpc+proto',
      'grpc-status': code,
      'grpc-message': encodeURI(details),
      ...metadata.toHttp2Headers(),
    }, { endStream: true });
  }
  stream.close(constants.NGHTTP2_NO_ERROR);
}

function textOf(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.join(',');
}
