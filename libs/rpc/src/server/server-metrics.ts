import { type Metrics, noMetrics } from '@platform/service';
import type { Method } from '@platform/surface';
import type { ReasonName } from '@platform/faults';

export interface ServerMetrics {
  /** Exports the series `OK` and `INTERNAL` of the method with the value 0, before the first call. */
  prepare(method: Method): void;
  /** Records the start of a call. Call the returned function when the call ends. */
  begin(method: Method): (reason: ReasonName | 'OK') => void;
  repeated(): void;
  readonly calls: number;
}

export function createServerMetrics(metrics: Metrics = noMetrics): ServerMetrics {
  let calls = 0;
  const requests = metrics.counter({
    name: 'rpc_server_requests_total',
    help: 'Calls answered, by method and reason of refusal (OK if they were not refused).',
    labels: ['method', 'reason'],
    maxSeries: 10_000,
  });
  const durations = metrics.histogram({
    name: 'rpc_server_duration_seconds',
    help: 'Duration of a call in this service, by method.',
    labels: ['method'],
  });
  const repeats = metrics.counter({
    name: 'rpc_server_repeats_total',
    help: 'Calls handled again because the permissions of the caller changed meanwhile.',
  }).with({});
  metrics.observed({ name: 'rpc_server_calls', help: 'Calls in progress.' }, () => calls);

  return {
    prepare: ({ fullName }) => {
      requests.with({ method: fullName, reason: 'OK' });
      requests.with({ method: fullName, reason: 'INTERNAL' });
    },
    begin: ({ fullName }) => {
      const begun = performance.now();
      calls += 1;
      return (reason) => {
        calls -= 1;
        durations.observe({ method: fullName }, (performance.now() - begun) / 1000);
        requests.add({ method: fullName, reason });
      };
    },
    repeated: () => repeats.add(),
    get calls() {
      return calls;
    },
  };
}
