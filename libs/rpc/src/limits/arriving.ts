import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { constants, type IncomingHttpHeaders, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import { deadlineExceeded, type Fault, unavailable } from '@platform/faults';
import { CallersMemory, type SourceAddress, sourceOf } from '@platform/limits';
import { type Logger, seldom } from '@platform/service';
import type { ShownCredentials } from '../credential.ts';
import { refusal } from '../faults/status.ts';
import { certificateOn } from '../wire/transport.ts';
import { wire } from '../wire/wire.ts';
import { limitConnectionAge } from './connection-age.ts';
import { boundLeaving, type LeavingLimits, usualLeavingLimits } from './leaving.ts';

/** Limits for direct callers, that is, callers other than services of the platform and the operator. */
export interface ArrivingLimits {
  /** Maximum bytes of the messages of all calls that have not ended. One source may use a quarter of them. */
  readonly bytes: number;
  /** Time limit for receiving all messages of one call, in milliseconds. */
  readonly withinMs: number;
  /** Time that arriving messages still have when the server stops, in milliseconds. */
  readonly stopMs: number;
  /** Age at which connections of direct callers end, in milliseconds, plus or minus 10 %. */
  readonly connectionMs: number;
  readonly leaving: LeavingLimits;
}

export const usualArrivingLimits: ArrivingLimits = {
  bytes: 96 * 1024 * 1024, withinMs: 30_000, stopMs: 1_000, connectionMs: 120_000, leaving: usualLeavingLimits,
};

/** Bytes that count for each call in addition to its message. They limit the number of calls with small messages. */
const callBytes = 8 * 1024;
/** Bytes that count for each piece of a message in addition to its content. */
const pieceBytes = 512;

/** Diagnostics channel on which Node announces each stream before grpc-js receives it. */
const created = 'http2.server.stream.created';

interface ArrivingOptions {
  /** Port of this server. Node also announces the streams of other servers in the process. */
  readonly port: number;
  readonly isService: (shown: ShownCredentials) => boolean;
  readonly sourceAddress: SourceAddress;
  readonly log: Logger;
  readonly limits: ArrivingLimits;
}

/**
 * Applies `limits` to the calls of direct callers, because grpc-js does not limit the memory and time of arriving
 * messages. After `stop`, a call is refused if its messages have not arrived within `limits.stopMs`.
 */
export function boundArriving(
  { port, isService, sourceAddress, log, limits }: ArrivingOptions,
): Disposable & { stop(): void } {
  const memory = new CallersMemory(limits.bytes);
  const onTheirWay = new Map<ServerHttp2Stream, (fault: Fault) => void>();
  const said = seldom();
  const leaving = boundLeaving(log, limits.leaving);
  const age = limitConnectionAge(limits.connectionMs);
  let stop: NodeJS.Timeout | undefined;

  function watch(message: unknown): void {
    const { stream, headers } = message as { stream: ServerHttp2Stream; headers: IncomingHttpHeaders };
    const { session } = stream;
    const socket = session?.socket;
    if (session === undefined || socket?.localPort !== port) return;
    limitTimeout(headers);
    const serviceCredential = textOf(headers[wire.serviceCredential]);
    if (isService({ serviceCredential, certificate: certificateOn(socket) })) return;
    age.limit(session as ServerHttp2Session);
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
    // The `data` listener starts the stream, so pause the stream again. To read a message, grpc-js resumes the stream.
    stream.on('data', count).on('end', arrived).pause();
    stream.once('close', () => {
      arrived();
      memory.give(held, source);
    });
    // Wait until grpc-js has received the stream; otherwise grpc-js would send another answer.
    if (!take(callBytes)) setImmediate(refuseForMemory);
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
      age[Symbol.dispose]();
    },
  };
}

/** The longest delay that a timer of Node accepts, in seconds. */
const longestTimeout = 2_147_483;
const secondsOf: Readonly<Record<string, number>> = { H: 3_600, M: 60, S: 1, m: 1e-3, u: 1e-6, n: 1e-9 };

/** Reduces a longer timeout to {@link longestTimeout}. grpc-js computes with 32 bits, and could end the call early. */
function limitTimeout(headers: IncomingHttpHeaders): void {
  const [, digits = '', unit = ''] = /^(\d{1,8})\s*([HMSmun])$/.exec(textOf(headers['grpc-timeout']) ?? '') ?? [];
  if (Number(digits) * secondsOf[unit]! > longestTimeout) headers['grpc-timeout'] = `${longestTimeout}S`;
}

/**
 * Makes grpc-js refuse compressed messages, because 64 KiB could become 64 MiB before the token is checked. The call
 * gets an unknown encoding, with which grpc-js still accepts uncompressed messages.
 */
function refuseCompressed(headers: IncomingHttpHeaders): void {
  const encoding = textOf(headers['grpc-encoding']) ?? 'identity';
  if (encoding !== 'identity') headers['grpc-encoding'] = `${encoding} (not taken here)`;
}

/** Answers in place of grpc-js. grpc-js then treats the call as if its caller had gone. */
function answer(stream: ServerHttp2Stream, fault: Fault): void {
  if (!stream.headersSent && !stream.destroyed) {
    const { code, details, metadata } = refusal(fault);
    stream.respond({
      ':status': 200, 'content-type': 'application/grpc+proto', 'grpc-status': code, 'grpc-message': encodeURI(details),
      ...metadata.toHttp2Headers(),
    }, { endStream: true });
  }
  stream.close(constants.NGHTTP2_NO_ERROR);
}

function textOf(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.join(',');
}
