import type { Method } from '@platform/surface';
import type { IncomingCall } from '../call-context.ts';
import type { ReasonName } from '@platform/faults';

/** The logged facts of a call. */
export interface EndedCall {
  readonly method: Method;
  readonly call: Pick<IncomingCall, 'log'> & {
    /** Whether a service of the platform makes the call. */
    readonly fromService: boolean;
    /** `host:port` of the caller. */
    readonly peer: string;
  };
  readonly reason: ReasonName | 'OK';
  readonly durationMs: number;
}

/**
 * Logs one line for each call. Calls of the platform's own services are logged at `debug`, because the gateway logs the
 * request that causes them, with the same request id.
 */
export function logCall({ method, call: { log, fromService, peer }, reason, durationMs }: EndedCall): void {
  const level = fromService ? 'debug' : 'info';
  if (!log?.enabled(level)) return;
  log[level]({ method: method.fullName, reason, durationMs: Math.round(durationMs * 10) / 10, peer }, 'call');
}
