import { DeadlineExceeded, type Metrics, noMetrics } from '@platform/service';
import type { PoolState } from './database.ts';
import { ConstraintViolation, PostgresUnavailable, TransactionConflict } from './errors.ts';

export interface PoolMetrics {
  /** Measures one statement or transaction, including the wait for a connection. */
  timed<Result>(kind: 'statement' | 'transaction', work: () => Promise<Result>): Promise<Result>;
  repeated(): void;
}

/** Registers the metrics `postgres_*`. */
export function createPoolMetrics(metrics: Metrics = noMetrics, pool: () => PoolState): PoolMetrics {
  metrics.observed(
    { name: 'postgres_pool_connections_max', help: 'Connections the pool may open.' }, () => pool().most,
  );
  metrics.observed(
    { name: 'postgres_pool_connections', help: 'Open connections, including idle ones.' }, () => pool().open,
  );
  metrics.observed({ name: 'postgres_pool_connections_idle', help: 'Idle connections.' }, () => pool().idle);
  metrics.observed(
    { name: 'postgres_pool_waiting', help: 'Callers that wait for a connection.' }, () => pool().waiting,
  );
  const durations = metrics.histogram({
    name: 'postgres_duration_seconds', labels: ['kind'],
    help: 'Duration of transactions, and of statements outside transactions. Includes the wait for a connection.',
  });
  const errors = metrics.counter({
    name: 'postgres_errors_total', labels: ['kind', 'error'],
    help: 'Failed transactions, and failed statements outside transactions, by error: '
      + 'unavailable, conflict, constraint or deadline.',
  });
  const repeats = metrics.counter({
    name: 'postgres_repeats_total',
    help: 'Repeated attempts of transactions, after conflicts or invalid prepared statements.',
  }).with({});
  const durationOf = {
    statement: durations.with({ kind: 'statement' }),
    transaction: durations.with({ kind: 'transaction' }),
  };

  return {
    repeated: () => repeats.add(),
    timed: async (kind, work) => {
      const start = performance.now();
      try {
        return await work();
      } catch (error) {
        const name = errorName(error);
        if (name !== undefined) errors.add({ kind, error: name });
        throw error;
      } finally {
        durationOf[kind].observe((performance.now() - start) / 1_000);
      }
    },
  };
}

/** Returns the label of an error. Undefined for errors that are not counted, such as errors of the caller's code. */
function errorName(error: unknown): string | undefined {
  if (error instanceof PostgresUnavailable) return 'unavailable';
  if (error instanceof TransactionConflict) return 'conflict';
  if (error instanceof ConstraintViolation) return 'constraint';
  return error instanceof DeadlineExceeded ? 'deadline' : undefined;
}
