import type { Deadline } from './deadline.ts';
import type { Metrics } from './metrics.ts';

export interface QueueState {
  readonly pending: number;
  /** Age of the oldest waiting entry in seconds; 0 if nothing waits. */
  readonly oldestSeconds: number;
}

/**
 * Registers `queue_pending` and `queue_oldest_seconds`. Each scrape calls `read`, which counts the stored work. The
 * values are NaN if `read` fails. May be called again for other queues.
 */
export function observeQueues<const Name extends string>(
  metrics: Metrics, names: readonly Name[], read: (deadline: Deadline) => Promise<Readonly<Record<Name, QueueState>>>,
): void {
  const { pending, oldest } = gaugesOf(metrics);
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

/** The gauges of each `Metrics`. They are registered once, and later calls of {@link observeQueues} use them again. */
const gauges = new WeakMap<Metrics, ReturnType<typeof registerGauges>>();

function gaugesOf(metrics: Metrics): ReturnType<typeof registerGauges> {
  const known = gauges.get(metrics) ?? registerGauges(metrics);
  gauges.set(metrics, known);
  return known;
}

function registerGauges(metrics: Metrics) {
  return {
    pending: metrics.gauge({
      name: 'queue_pending', help: 'Stored work that is not done yet, by queue.', labels: ['queue'],
    }),
    oldest: metrics.gauge({
      name: 'queue_oldest_seconds', labels: ['queue'],
      help: 'Age in seconds of the oldest work of a queue; 0 if the queue is empty.',
    }),
  };
}
