import type { EventEmitter } from 'node:events';
import { Metadata, type ServerUnaryCall } from '@grpc/grpc-js';
import { Fault } from '@platform/faults';
import { type SourceAddress, sourceOf } from '@platform/limits';
import type { JoinedCall, JoinedEntry } from '@platform/proto/rpc/v1/joined';
import { deadlineIn, type Logger, requestIdOf, type TraceHeaders } from '@platform/service';
import type { Method } from '@platform/surface';
import { isSessionToken } from '@platform/values';
import type { IncomingCall, RepeatKey } from '../call-context.ts';
import type { ShownCredentials } from '../credential.ts';
import { decodeFault } from '../faults/status.ts';
import type { Guard } from '../guard/guard.ts';
import type { CountedCall } from '../limits/direct-calls.ts';
import { bufferOf } from '../wire/joined.ts';
import { defaultStreamMs } from '../wire/streams.ts';
import { type Arrived, certificateOf } from '../wire/transport.ts';
import { defaultDeadlineMs, wire } from '../wire/wire.ts';

/** A call without its messages, as it arrives by itself or joined with others. */
export interface WireCall {
  /** Milliseconds its caller waits; undefined where the caller names no deadline. */
  readonly timeoutMs: number | undefined;
  /** Aborts when its caller has gone. */
  readonly cancelled: AbortSignal;
  /** What identifies a service of ours or the operator, and whether it is valid. */
  readonly shown: ShownCredentials;
  readonly fromService: boolean;
  /** `host:port` of the other side. */
  readonly peer: string;
  /** Values of a key of its metadata. */
  values(key: string): readonly (string | Buffer)[];
  /** Sends metadata along with the response. */
  tell(key: string, value: string): void;
}

/** The reason is made once: an error with its stack for each call would cost more than the call. */
export const callerGone = new Error('the caller has cancelled the call');

/** A call of any kind, as grpc-js gives it to its handler. */
export type GrpcCall = Arrived & Pick<ServerUnaryCall<Buffer, unknown>, 'getDeadline'> & EventEmitter;

/** A call that came by itself. @param cancelled aborted when its caller has gone */
export function callByItself(
  call: GrpcCall, { isService }: Guard, cancelled = new AbortController(),
): WireCall & { readonly told: Metadata } {
  call.once('cancelled', () => cancelled.abort(callerGone));
  const deadline = call.getDeadline();
  const shown = shownBy(call);
  const told = new Metadata();
  return {
    timeoutMs: deadline === Infinity ? undefined : Number(deadline) - Date.now(),
    cancelled: cancelled.signal,
    shown,
    fromService: isService(shown),
    peer: call.getPeer(),
    values: (key) => call.metadata.get(key),
    told,
    tell: (key, value) => told.set(key, value),
  };
}

/** What joined calls have in common: they come from one service of ours, or from the operator. */
export type JoinedFrom = Pick<WireCall, 'shown' | 'peer'>;

/** A call that came with others. @param told takes what is told along with its response */
export function joinedCall(
  call: JoinedCall, cancelled: AbortSignal, { shown, peer }: JoinedFrom, told: JoinedEntry[],
): WireCall {
  return {
    timeoutMs: call.timeoutMs === 0 ? undefined : call.timeoutMs,
    cancelled,
    shown,
    fromService: true,
    peer,
    values: (key) => {
      const found: (string | Buffer)[] = [];
      for (const { key: name, text, binary } of call.metadata) {
        if (name === key) found.push(key.endsWith('-bin') ? bufferOf(binary) : text);
      }
      return found;
    },
    tell: (key, value) => void told.push({ key, text: value, binary: noBytes }),
  };
}

const noBytes = Buffer.alloc(0);

/** What identifies the caller of a call, or of a stream of joined calls. */
export function shownBy(call: Arrived): ShownCredentials {
  const [credential] = call.metadata.get(wire.serviceCredential);
  return {
    serviceCredential: typeof credential === 'string' ? credential : undefined,
    certificate: certificateOf(call),
  };
}

/** A call as the guard and the handlers see it. */
export type Incoming = ReturnType<typeof incomingCall>;

/** What the guard and the handlers see of a call. @throws Fault for contradictory credentials */
export function incomingCall(call: WireCall, log: Logger, { access, kind }: Method, sourceAddress: SourceAddress) {
  const requestId = requestIdOf(textOf(call, wire.requestId));
  const defaultMs = kind === 'unary' ? defaultDeadlineMs : defaultStreamMs;
  return {
    requestId,
    deadline: deadlineIn(call.timeoutMs ?? defaultMs, call.cancelled),
    cancelled: call.cancelled,
    token: access.who === 'anonymous' || access.who === 'internal' ? undefined : tokenOf(call),
    ...call.shown,
    fromService: call.fromService,
    peer: call.peer,
    /** It is a call of a client, whose batches count by their size. */
    countsValues: !call.fromService || textOf(call, wire.countsValues) !== undefined,
    /** Set where the request may be repeated. */
    repeat: call.fromService ? repeatKeyOf(call) : undefined,
    countsAs: call.fromService ? Number(textOf(call, wire.countsAs) ?? 1) : 1,
    sourceAddress: call.fromService
      ? (textOf(call, wire.sourceAddress) ?? '')
      : sourceAddress(addressOf(call.peer), textOf(call, 'x-forwarded-for')),
    log: log.child({ requestId }),
  } satisfies Omit<IncomingCall, 'parameterFault' | 'bodyFault'> & CountedCall & {
    peer: string; countsValues: boolean; repeat: RepeatKey | undefined;
  };
}

function repeatKeyOf(call: WireCall): RepeatKey | undefined {
  const [[key], [body]] = [call.values(wire.repeatKey), call.values(wire.repeatBody)];
  return key instanceof Buffer && body instanceof Buffer ? { key, body } : undefined;
}

/** On whose behalf a call is made, until its caller is known: what a service of ours says, else its source. */
export function partyOf(call: WireCall, { sourceAddress }: Pick<Incoming, 'sourceAddress'>): string {
  return (call.fromService ? textOf(call, wire.party) : undefined) ?? sourceOf(sourceAddress);
}

/** The address of `host:port`. */
export function addressOf(peer: string): string {
  return peer.replace(/:\d+$/, '');
}

/** The token a call carries, as over REST (open-points 1.3). That of a session only servers of ours pass on. */
function tokenOf(call: WireCall): string | undefined {
  const tokens = new Set(call.values(wire.authorization).map((value) => bearer(String(value))));
  tokens.delete(undefined);
  if (tokens.size > 1) throw new Fault('AMBIGUOUS_CREDENTIALS', 'the call carries more than one token');
  const [token] = tokens;
  return token !== undefined && isSessionToken(token) && !call.fromService ? '' : token;
}

/** `Bearer X` and `token X`, the scheme in any case (open-points 1.3); any other scheme counts as no token. */
function bearer(authorization: string): string | undefined {
  const carried = /^(?:bearer|token)(?: +(?<token>.*))?$/i.exec(authorization);
  return carried ? (carried.groups!['token'] ?? '') : undefined;
}

/** The fault that the gateway found. @param key one of {@link wire} */
export function faultIn(call: WireCall, key: string): Fault | undefined {
  const [bytes] = call.values(key);
  return bytes instanceof Buffer ? decodeFault(bytes) : undefined;
}

export function traceOf(call: WireCall): TraceHeaders {
  const traceparent = textOf(call, wire.traceparent);
  const tracestate = textOf(call, wire.tracestate);
  return { ...(traceparent ? { traceparent } : {}), ...(tracestate ? { tracestate } : {}) };
}

function textOf(call: WireCall, key: string): string | undefined {
  const [value] = call.values(key);
  return typeof value === 'string' ? value : undefined;
}
