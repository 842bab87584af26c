import type { Method } from '@platform/surface';
import type { ReasonName } from '@platform/faults';
import type { Incoming } from './wire-call.ts';

interface EndedCall {
  readonly method: Method;
  readonly call: Pick<Incoming, 'log' | 'fromService' | 'peer'>;
  readonly reason: ReasonName | 'OK';
  readonly durationMs: number;
}

/** Logs calls of services at `debug`, because the gateway logs the request that causes them, with the same id. */
export function logCall({ method, call: { log, fromService, peer }, reason, durationMs }: EndedCall): void {
  const level = fromService ? 'debug' : 'info';
  if (!log.enabled(level)) return;
  log[level]({ method: method.fullName, reason, durationMs: Math.round(durationMs * 10) / 10, peer }, 'call');
}
