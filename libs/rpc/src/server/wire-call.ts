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
import { bufferOf, noBytes } from '../wire/joined.ts';
import { defaultStreamMs } from '../wire/streams.ts';
import { type Arrived, certificateOf } from '../wire/transport.ts';
import { defaultDeadlineMs, wire } from '../wire/wire.ts';

/** A call without its messages. It arrived as a separate gRPC call, or joined with other calls (ADR 0070). */
export interface WireCall {
  /** How long the caller waits, in milliseconds; undefined if the caller set no deadline. */
  readonly timeoutMs: number | undefined;
  readonly cancelled: AbortSignal;
  readonly shown: ShownCredentials;
  /** Whether the shown credentials belong to a service of the platform or to the operator. */
  readonly fromService: boolean;
  /** Address of the other end of the connection, such as `10.0.0.1:4711`. */
  readonly peer: string;
  values(key: string): readonly (string | Buffer)[];
  /** Adds metadata to the response. */
  tell(key: string, value: string): void;
}

/** The abort reason if a caller cancels. All calls share it, because a stack trace per call would cost too much. */
export const callerGone = new Error('the caller has cancelled the call');

/** Converts a gRPC call to a `WireCall`. @param cancelled the controller to abort if the caller cancels */
export function callByItself(
  call: Arrived & Pick<ServerUnaryCall<Buffer, unknown>, 'getDeadline'> & EventEmitter, { isService }: Guard,
  cancelled = new AbortController(),
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

/**
 * Converts a joined call (ADR 0070) to a `WireCall`. Only services of the platform and the
 * operator send such calls.
 * @param told receives the metadata of the response
 */
export function joinedCall(
  call: JoinedCall, cancelled: AbortSignal, { shown, peer }: Pick<WireCall, 'shown' | 'peer'>, told: JoinedEntry[],
): WireCall {
  return {
    timeoutMs: call.timeoutMs === 0 ? undefined : call.timeoutMs,
    cancelled,
    shown,
    fromService: true,
    peer,
    values: (key) => call.metadata.filter((entry) => entry.key === key)
      .map(({ text, binary }) => (key.endsWith('-bin') ? bufferOf(binary) : text)),
    tell: (key, value) => void told.push({ key, text: value, binary: noBytes }),
  };
}

export function shownBy(call: Arrived): ShownCredentials {
  const [credential] = call.metadata.get(wire.serviceCredential);
  const serviceCredential = typeof credential === 'string' ? credential : undefined;
  return { serviceCredential, certificate: certificateOf(call) };
}

export type Incoming = ReturnType<typeof incomingCall>;

/** Converts a call to the form that the guard and the handlers see. @throws Fault AMBIGUOUS_CREDENTIALS */
export function incomingCall(call: WireCall, log: Logger, { access, kind }: Method, sourceAddress: SourceAddress) {
  const requestId = requestIdOf(textOf(call, wire.requestId));
  return {
    requestId,
    deadline: deadlineIn(call.timeoutMs ?? (kind === 'unary' ? defaultDeadlineMs : defaultStreamMs), call.cancelled),
    cancelled: call.cancelled,
    token: access.who === 'anonymous' || access.who === 'internal' ? undefined : tokenOf(call),
    ...call.shown,
    fromService: call.fromService,
    peer: call.peer,
    /** Whether the values of a batch count towards the caller's rate limit. */
    countsValues: !call.fromService || textOf(call, wire.countsValues) !== undefined,
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

/**
 * Returns the party on whose behalf a call runs until its caller is known. A calling service can name the party.
 * Otherwise, the party is the source of the call.
 */
export function partyOf(call: WireCall, { sourceAddress }: Pick<Incoming, 'sourceAddress'>): string {
  return (call.fromService ? textOf(call, wire.party) : undefined) ?? sourceOf(sourceAddress);
}

export function addressOf(peer: string): string {
  return peer.replace(/:\d+$/, '');
}

/**
 * Returns the token of a call by the rules for REST (open-points 1.3); undefined if there is none. Only a service of
 * the platform may send a session token. From any other caller, it becomes an empty token, which the guard refuses.
 * @throws Fault AMBIGUOUS_CREDENTIALS
 */
function tokenOf(call: WireCall): string | undefined {
  const tokens = new Set(call.values(wire.authorization).map((value) => bearer(String(value))));
  tokens.delete(undefined);
  if (tokens.size > 1) throw new Fault('AMBIGUOUS_CREDENTIALS', 'the call carries more than one token');
  const [token] = tokens;
  return token !== undefined && isSessionToken(token) && !call.fromService ? '' : token;
}

/**
 * Returns the token after the scheme `Bearer` or `token`; undefined for another scheme. The case of the scheme is
 * ignored (open-points 1.3).
 */
function bearer(authorization: string): string | undefined {
  const carried = /^(?:bearer|token)(?: +(?<token>.*))?$/i.exec(authorization);
  return carried ? (carried.groups!['token'] ?? '') : undefined;
}

/** Returns the fault that the gateway sent under a metadata key, if any. */
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
