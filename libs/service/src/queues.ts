import type { Deadline } from './deadline.ts';
import type { Metrics } from './metrics.ts';

/** What waits in a queue at the moment. */
export interface QueueState {
  readonly pending: number;
  /** How long the oldest has waited, in seconds; 0 when nothing waits. */
  readonly oldestSeconds: number;
}

/**
 * Registers `queue_pending` and `queue_oldest_seconds`, read from where the work is kept each time Prometheus asks: so
 * they are right after a restart, and while nobody works the queue off. NaN when they cannot be read.
 * @param names of the queues of this service
 */
export function observeQueues<const Name extends string>(
  metrics: Metrics,
  names: readonly Name[],
  read: (deadline: Deadline) => Promise<Readonly<Record<Name, QueueState>>>,
): void {
  const pending = metrics.gauge({
    name: 'queue_pending',
    help: 'Pieces of work that are kept and still to be done, by queue.',
    labels: ['queue'],
  });
  const oldest = metrics.gauge({
    name: 'queue_oldest_seconds',
    help: 'How long the oldest piece of work of a queue has waited; 0 when nothing waits.',
    labels: ['queue'],
  });
  const unknown: QueueState = { pending: NaN, oldestSeconds: NaN };
  metrics.whenAsked(async (deadline) => {
    const states = await read(deadline).catch(() => undefined);
    for (const queue of names) {
      const state = states?.[queue] ?? unknown;
      pending.set({ queue }, state.pending);
      oldest.set({ queue }, state.oldestSeconds);
    }
  });
}
