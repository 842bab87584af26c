import type { CounterSeries, Metrics } from '@platform/service';
import type { Method } from '@platform/surface';
import type { ReasonName } from './fault.ts';

/** What a server counts of its calls: rate, errors and duration by method. */
export interface ServerMetrics {
  /** Shows the method, and that nothing of it has failed, before the first call. */
  prepare(method: Method): void;
  /** Notes a call that begins; what it answers is called when it ends. */
  begin(method: Method): (reason: ReasonName | 'OK') => void;
  /** A call is admitted and handled again. */
  repeated(): void;
  /** Calls under way. */
  readonly calls: number;
}

/** Registers `rpc_server_*`; without metrics only the calls under way are counted. */
export function createServerMetrics(metrics: Metrics | undefined): ServerMetrics {
  let calls = 0;
  const requests = metrics?.counter({
    name: 'rpc_server_requests_total',
    help: 'Calls answered, by method and by the reason they were refused with (OK when they were not).',
    labels: ['method', 'reason'],
    maxSeries: 10_000,
  });
  const durations = metrics?.histogram({
    name: 'rpc_server_duration_seconds',
    help: 'Time a call took in this service, by method.',
    labels: ['method'],
  });
  const repeats = metrics?.counter({
    name: 'rpc_server_repeats_total',
    help: 'Calls handled again because the rows they had been admitted on had moved.',
  }).with({});
  metrics?.observed({ name: 'rpc_server_calls', help: 'Calls under way.' }, () => calls);
  const series = new Map<string, CounterSeries>();

  function counter(method: string, reason: ReasonName | 'OK'): CounterSeries {
    const key = `${method} ${reason}`;
    let found = series.get(key);
    if (!found) series.set(key, (found = requests!.with({ method, reason })));
    return found;
  }

  return {
    prepare: ({ fullName }) => {
      if (!requests) return;
      counter(fullName, 'OK');
      counter(fullName, 'INTERNAL');
    },
    begin: ({ fullName }) => {
      const begun = performance.now();
      calls += 1;
      return (reason) => {
        calls -= 1;
        if (!durations) return;
        durations.observe({ method: fullName }, (performance.now() - begun) / 1000);
        counter(fullName, reason).add();
      };
    },
    repeated: () => repeats?.add(),
    get calls() {
      return calls;
    },
  };
}
