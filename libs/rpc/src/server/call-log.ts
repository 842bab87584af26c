import type { Method } from '@platform/surface';
import type { IncomingCall } from '../call-context.ts';
import type { ReasonName } from '@platform/faults';

/** The logged facts of a call. */
export interface EndedCall {
  readonly method: Method;
  readonly call: Pick<IncomingCall, 'log'> & {
    /** Whether a service of the platform makes the call. */
    readonly fromService: boolean;
    /** `host:port` of the other side. */
    readonly peer: string;
  };
  readonly reason: ReasonName | 'OK';
  readonly durationMs: number;
}

/**
 * Logs one line per call of a direct caller. The gateway logs requests that lead to calls of the platform's own
 * services with the same request id, so these calls are logged at `debug`.
 */
export function logCall({ method, call: { log, fromService, peer }, reason, durationMs }: EndedCall): void {
  const level = fromService ? 'debug' : 'info';
  if (!log?.enabled(level)) return;
  log[level]({ method: method.fullName, reason, durationMs: Math.round(durationMs * 10) / 10, peer }, 'call');
}
