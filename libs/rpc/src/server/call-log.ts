import type { Method } from '@platform/surface';
import type { IncomingCall } from '../call-context.ts';
import type { ReasonName } from '@platform/faults';

/** What is logged of a call when it ends. */
export interface EndedCall {
  readonly method: Method;
  readonly call: Pick<IncomingCall, 'log'> & {
    /** It comes from a service of ours. */
    readonly fromService: boolean;
    /** `host:port` of the other side. */
    readonly peer: string;
  };
  readonly reason: ReasonName | 'OK';
  readonly durationMs: number;
}

/**
 * One line per call of a direct caller. Calls of our own services belong to a request that the gateway logs with the
 * same request id: they are logged at `debug`.
 */
export function logCall({ method, call: { log, fromService, peer }, reason, durationMs }: EndedCall): void {
  const level = fromService ? 'debug' : 'info';
  if (!log?.enabled(level)) return;
  log[level]({ method: method.fullName, reason, durationMs: Math.round(durationMs * 10) / 10, peer }, 'call');
}
