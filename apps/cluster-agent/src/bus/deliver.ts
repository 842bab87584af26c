import {
  type BusConnection, type BusLogin, connectBus, EventRefused, eventSubject, type Member, memberRequestSubject,
} from '@platform/bus';
import { backoffPause, loop, type OpenService, pause } from '@platform/service';
import { fitEvent } from './fit-event.ts';
import type { QueuedEvent } from '../store/queue.ts';
import type { Store } from '../store/store.ts';
import { acknowledgedWithin, answerQuestion } from './answer-question.ts';

const connectMs = 5_000;
const acknowledgeMs = 10_000;
const sentAtOnce = 50;
/** Maximum pause before the first attempt to connect again, in milliseconds. Later pauses may be longer. */
const againMs = 500;
/** How long the agent waits for a wake-up before it reads the empty queue again, in milliseconds. */
const lookMs = 10_000;

/**
 * Sends queued events to the bus, the oldest first, and answers questions, until the agent stops. Sends an event again
 * if the bus has not stored it. The platform counts an event once, even if it arrives twice. An event that is too large
 * for the bus is cut or dropped.
 * @returns `wake`, to be called after an event was added to the queue
 */
export function openDelivery(
  { service, store, login, member, shards }:
  { service: OpenService; store: Store; login: BusLogin; member: Member; shards: number },
): { wake(): void } {
  const { log, metrics, readiness, stack } = service;
  const subject = eventSubject(member, shards);
  let woken = new AbortController();
  let trouble: Error | undefined = new Error('not connected yet');
  readiness.mentions('NATS', async () => {
    if (trouble !== undefined) throw trouble;
  });
  const queued = { name: 'agent_queued_events', help: 'Events that the bus has not stored yet.' };
  metrics.observed(queued, () => store.queue.length);
  const sent = metrics.counter({ name: 'agent_events_sent_total', help: 'Events that the bus has stored.' });
  const dropped = metrics.counter({ name: 'agent_events_dropped_total', help: 'Events too large for the bus.' });

  /** Cuts events that are too large. Drops an event that is still too large, so that it does not block other events. */
  function sendable(events: readonly QueuedEvent[], mostBytes: number): readonly QueuedEvent[] {
    const [fitting, tooLarge]: [QueuedEvent[], QueuedEvent[]] = [[], []];
    for (const event of events) {
      const fitted = fitEvent(event, mostBytes);
      (fitted === undefined ? tooLarge : fitting).push(fitted ?? event);
    }
    if (tooLarge.length === 0) return fitting;
    store.transact(() => store.queue.taken(tooLarge));
    dropped.add({}, tooLarge.length);
    for (const { text } of tooLarge) log.error({ event: text.slice(0, 300) }, 'dropped an event that is too large');
    return fitting;
  }

  async function drain(bus: BusConnection, over: AbortSignal): Promise<void> {
    let waits = 0;
    while (!over.aborted) {
      woken = new AbortController();
      const batch = sendable(store.queue.first(sentAtOnce), bus.mostBytes);
      if (store.queue.length === 0) {
        await pause(lookMs, AbortSignal.any([over, woken.signal]));
        continue;
      }
      const outcomes = await Promise.allSettled(batch.map(({ text }) => bus.sendEvent(subject, text, acknowledgeMs)));
      const taken = batch.filter((_, place) => outcomes[place]!.status === 'fulfilled');
      store.transact(() => store.queue.taken(taken));
      sent.add({}, taken.length);
      const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as Error] : []));
      const failed = failures.find((error) => !(error instanceof EventRefused)) ?? failures[0];
      if (failed === undefined) {
        trouble = undefined;
        waits = 0;
      } else if (failed instanceof EventRefused) {
        trouble = failed;
        waits += 1;
        log.warn({ waits, error: failed }, 'the platform refuses events; the agent sends them again later');
        await pause(Math.max(failed.retryMs, backoffPause(waits)), over);
      } else {
        throw failed;
      }
    }
  }

  stack.use(loop('bus', againMs, async (stopping) => {
    const lost = new AbortController();
    let hasWorked = false;
    try {
      await using bus = await connectBus(login, connectMs);
      void bus.closed.then(() => lost.abort());
      await bus.subscribe(memberRequestSubject(member), ({ text, replyTo }) => {
        if (replyTo === undefined) return;
        answer(bus, store, text, replyTo)
          .catch((error: unknown) => log.warn({ error }, 'cannot answer a question of the platform'));
      });
      trouble = undefined;
      hasWorked = true;
      await drain(bus, AbortSignal.any([stopping, lost.signal]));
      if (!stopping.aborted) throw new Error('the connection to the bus was lost');
    } catch (error) {
      trouble = error as Error;
      // Do not throw after the loss of a working connection, because the loop makes longer pauses after an error.
      if (!hasWorked || !lost.signal.aborted || stopping.aborted) throw error;
      log.warn({ error }, 'the connection to the bus was lost; connecting again');
    }
  }, log));
  return { wake: () => woken.abort() };
}

async function answer(bus: BusConnection, store: Store, text: string, replyTo: string): Promise<void> {
  for (const chunk of answerQuestion(store, text)) {
    const waitMs = acknowledgedWithin(text);
    if (waitMs === undefined) await bus.publish(replyTo, chunk);
    else await bus.request(replyTo, chunk, waitMs);
  }
}
