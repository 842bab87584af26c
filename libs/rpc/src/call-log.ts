import type { Method } from '@platform/surface';
import type { ReasonName } from './fault.ts';
import type { Guard, IncomingCall } from './guard.ts';

/** What is told of a call when it ends. */
export interface EndedCall {
  readonly method: Method;
  readonly call: Pick<IncomingCall, 'serviceCredential' | 'log'>;
  readonly reason: ReasonName | 'OK';
  readonly durationMs: number;
  /** `host:port` of the other side. */
  readonly peer: string;
}

/**
 * One line per call of somebody who calls a service directly. Calls of our own services belong to a request that the
 * gateway tells of, by the same request id: theirs are written at `debug`.
 */
export function logCall(guard: Pick<Guard, 'isService'>, { method, call, reason, durationMs, peer }: EndedCall): void {
  const { log, serviceCredential } = call;
  if (!log?.enabled('info')) return;
  const level = guard.isService(serviceCredential) ? 'debug' : 'info';
  if (!log.enabled(level)) return;
  log[level]({ method: method.fullName, reason, durationMs: Math.round(durationMs * 10) / 10, peer }, 'call');
}
