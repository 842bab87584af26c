import {
  type BusConnection, type BusLogin, connectBus, eventSubject, type Member, memberRequestSubject,
} from '@platform/bus';
import { loop, type OpenService, pause } from '@platform/service';
import type { QueuedEvent } from '../store/queue.ts';
import type { Store } from '../store/store.ts';
import { answerQuestion } from './answer-question.ts';

/** How long the bus may take to let an agent in, and to acknowledge an event, in milliseconds. */
const connectMs = 5_000;
const acknowledgeMs = 10_000;
const sentAtOnce = 50;
/** The bus takes no larger message. */
const mostEventBytes = 1024 * 1024;
/** How long until a lost connection is tried again the first time; then the pauses grow. */
const againMs = 500;
/** The queue is looked at so often without being woken. */
const lookMs = 10_000;

export interface DeliveryParts {
  readonly service: OpenService;
  readonly store: Store;
  readonly login: BusLogin;
  readonly member: Member;
  readonly shards: number;
}

/** Brings what is queued to the bus, the oldest first, and answers questions, until the agent stops. */
export interface Delivery {
  /** There may be something to send. */
  wake(): void;
}

/** An event leaves the queue once the bus has stored it; until then it is sent again, which is harmless. */
export function openDelivery({ service, store, login, member, shards }: DeliveryParts): Delivery {
  const { log, metrics, readiness, stack } = service;
  const subject = eventSubject(member, shards);
  let woken = new AbortController();
  let trouble: Error | undefined = new Error('not connected yet');
  readiness.mentions('NATS', async () => {
    if (trouble !== undefined) throw trouble;
  });
  const queued = { name: 'agent_queued_events', help: 'Events that the bus has not taken.' };
  metrics.observed(queued, () => store.queue.length);
  const sent = metrics.counter({ name: 'agent_events_sent_total', help: 'Events that the bus has stored.' });
  const dropped = metrics.counter({ name: 'agent_events_dropped_total', help: 'Events too large for the bus.' });

  /** Those that the bus can take. One that it never will must not hold up the others. */
  function sendable(events: readonly QueuedEvent[]): readonly QueuedEvent[] {
    const tooLarge = events.filter(({ text }) => Buffer.byteLength(text) > mostEventBytes);
    if (tooLarge.length === 0) return events;
    store.transact(() => store.queue.taken(tooLarge));
    dropped.add({}, tooLarge.length);
    for (const { text } of tooLarge) log.error({ event: text.slice(0, 300) }, 'an event is too large for the bus');
    return events.filter((event) => !tooLarge.includes(event));
  }

  async function drain(bus: BusConnection, over: AbortSignal): Promise<void> {
    while (!over.aborted) {
      woken = new AbortController();
      const batch = sendable(store.queue.first(sentAtOnce));
      if (store.queue.length === 0) {
        await pause(lookMs, AbortSignal.any([over, woken.signal]));
        continue;
      }
      const outcomes = await Promise.allSettled(batch.map((event) => send(bus, subject, event)));
      const taken = batch.filter((_, place) => outcomes[place]!.status === 'fulfilled');
      store.transact(() => store.queue.taken(taken));
      sent.add({}, taken.length);
      const failed = outcomes.find((outcome) => outcome.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
    }
  }

  stack.use(loop('bus', againMs, async (stopping) => {
    try {
      await using bus = await connectBus(login, connectMs);
      const lost = new AbortController();
      void bus.closed.then(() => lost.abort());
      await bus.subscribe(memberRequestSubject(member), ({ text, replyTo }) => {
        if (replyTo === undefined) return;
        answer(bus, store, text, replyTo).catch((error: unknown) => log.warn({ error }, 'a question was not answered'));
      });
      trouble = undefined;
      await drain(bus, AbortSignal.any([stopping, lost.signal]));
      if (!stopping.aborted) throw new Error('the connection to the bus was lost');
    } catch (error) {
      trouble = error as Error;
      throw error;
    }
  }, log));
  return { wake: () => woken.abort() };
}

async function answer(bus: BusConnection, store: Store, text: string, replyTo: string): Promise<void> {
  for (const chunk of answerQuestion(store, text)) await bus.publish(replyTo, chunk);
}

/** @throws when the bus has not stored it */
async function send(bus: BusConnection, subject: string, { text }: QueuedEvent): Promise<void> {
  const reply = await bus.request(subject, text, acknowledgeMs);
  const { error } = JSON.parse(reply.text) as { error?: { description?: string } };
  if (error !== undefined) throw new Error(`the bus refused an event: ${error.description}`);
}
