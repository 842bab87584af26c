import { jetstreamManager } from '@nats-io/jetstream';
import { headers, type Msg, type NatsConnection } from '@nats-io/transport-node';
import {
  createLimiter, type Deadline, deadlineIn, type Limiter, type Logger, loop, type Metrics, type Readiness, remaining,
  seldom,
} from '@platform/service';
import { type BusLogin, dial } from './dial.ts';
import type { EventRefusal } from './event-refusals.ts';
import { eventSubject, lanes, laneSubject, memberOfEvent, type Member } from './member-subjects.ts';
import { createShares, type ShareRates, type ShareRefusal } from './shares.ts';
import { countWaitingBytes } from './waiting-bytes.ts';

export interface IntakeOptions {
  /** Number of shards in event subjects (open-points 13.2). */
  readonly shards: number;
  readonly rates: ShareRates;
  /** The consumer that reads what is stored. */
  readonly durable: string;
  /** The reason why events of a member are refused; undefined accepts them. Called for each event. */
  readonly keptRefusal: (member: Member) => ShareRefusal | undefined;
}

interface IntakeParts extends IntakeOptions {
  readonly login: BusLogin;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly readiness: Readiness;
}

const connectMs = 2_000;
const tryMs = 500;
/** How long an event may wait for its turn and for being stored, in milliseconds. */
const storeMs = 5_000;
/** Events that are being stored: of all, and of one organization. The servers store one after the other. */
const storedAtOnce = 16;
const storedAtOnceOfOne = 4;
/** Limit of the waiting events of one organization, and of their bytes. */
const mostWaiting = 1_000;
const mostWaitingBytes = 16 * 1024 * 1024;
/** How often it is asked what has been read, in milliseconds. */
const lookMs = 1_000;

/** Code of the answer to a refused event. A 503 without content means "no responders" to clients of any language. */
export const refusedCode = 503;
export const reasonHeader = 'Nats-Service-Error';
export const codeHeader = 'Nats-Service-Error-Code';
export const retryHeader = 'Retry-After';

/**
 * Takes events of members until disposed: counts them, lets organizations take turns, and stores their data. The answer
 * is that of JetStream, so it is sent only after the event is stored. Headers of members are not passed on, for the
 * servers obey them. Replicas share the events. Why so: docs/adr/0170.
 */
export function openIntake(parts: IntakeParts): AsyncDisposable {
  const { login, log, metrics, readiness, shards, rates, durable, keptRefusal } = parts;
  const shares = createShares(rates);
  const waiting = countWaitingBytes();
  const turns = createLimiter(storedAtOnce, 'storing an event');
  const organizations = new Map<number, { limiter: Limiter; bytes: number }>();
  const said = seldom();
  const refused = metrics.counter({
    name: 'member_events_refused_total',
    help: 'Events of members that were not stored, by reason: subject, rate, kept, waiting, busy, store.',
    labels: ['reason'],
  });

  function refuse(message: Msg, code: number, kind: EventRefusal, reason: string, retrySeconds = 1): void {
    refused.add({ reason: kind });
    const leftOut = said(`${kind} ${message.subject}`);
    const { subject } = message;
    if (leftOut !== undefined) log.warn({ subject, reason, leftOut }, 'an event of a member is refused');
    const head = headers(refusedCode, reason);
    head.set(reasonHeader, reason);
    head.set(codeHeader, String(code));
    head.set(retryHeader, String(retrySeconds));
    message.respond('', { headers: head });
  }

  function arrive(client: NatsConnection, message: Msg): void {
    const member = memberOfEvent(message.subject);
    if (member === undefined) return refuse(message, 400, 'subject', 'the subject names no member');
    const { ownerId } = member;
    const bytes = message.data.length;
    const full = keptRefusal(member);
    if (full !== undefined) return refuse(message, 429, 'kept', full.reason, full.retrySeconds);
    const tooMany = shares.take(member, bytes);
    if (tooMany !== undefined) return refuse(message, 429, 'rate', tooMany.reason, tooMany.retrySeconds);
    const whose = waiting.ofOrganization(ownerId) + bytes > rates.waitingBytes ? 'organization'
      : waiting.ofMember(member) + bytes > rates.waitingBytes / 2 ? 'member' : undefined;
    if (whose !== undefined) return refuse(message, 429, 'waiting', `too many bytes of the ${whose} wait to be read`, 10);
    const own = organizations.get(ownerId)
      ?? { limiter: createLimiter(storedAtOnceOfOne, 'storing an event', mostWaiting), bytes: 0 };
    if (own.bytes + bytes > mostWaitingBytes) return refuse(message, 429, 'busy', 'too much of the organization waits');
    organizations.set(ownerId, own);
    own.bytes += bytes;
    const deadline = deadlineIn(storeMs);
    own.limiter.run(deadline, () => inTurn(deadline, String(ownerId), () => store(client, member, message, deadline)))
      .catch((error: unknown) => {
        if (!client.isClosed()) refuse(message, 503, 'store', `the event is not stored: ${(error as Error).message}`);
      })
      .finally(() => {
        own.bytes -= bytes;
        if (own.limiter.idle) organizations.delete(ownerId);
      });
  }

  async function inTurn(deadline: Deadline, party: string, work: () => Promise<void>): Promise<void> {
    const leave = await turns.enter(deadline, party);
    try {
      await work();
    } finally {
      leave();
    }
  }

  async function store(client: NatsConnection, member: Member, message: Msg, deadline: Deadline): Promise<void> {
    const timeout = Math.max(1, remaining(deadline));
    const answer = await client.request(eventSubject(member, shards), message.data, { timeout });
    const { error, stream, seq } = answer.json<{ error?: { description?: string }; stream: string; seq: number }>();
    if (error !== undefined) throw new Error(String(error.description));
    waiting.add(stream, member, seq, message.data.length);
    message.respond(answer.data);
  }

  const stack = new AsyncDisposableStack();
  const connected = new Map<number, NatsConnection>();
  let trouble: Error = new Error('not connected yet');
  readiness.mentions('intake of events', async () => {
    if (connected.size < lanes) throw trouble;
  });
  for (let lane = 0; lane < lanes; lane += 1) {
    stack.use(loop(`intake ${lane}`, tryMs, async (stopping) => {
      try {
        const client = await dial(login, connectMs);
        const close = (): void => void client.close();
        stopping.addEventListener('abort', close, { once: true });
        try {
          const lost = Promise.withResolvers<never>();
          client.subscribe(laneSubject(lane), {
            queue: 'intake',
            callback: (error, message) => (error === null ? arrive(client, message) : lost.reject(error)),
          });
          await Promise.race([client.flush(), lost.promise]);
          connected.set(lane, client);
          const error = await Promise.race([client.closed(), lost.promise]);
          if (!stopping.aborted) throw error ?? new Error('the connection was lost');
        } finally {
          stopping.removeEventListener('abort', close);
          connected.delete(lane);
          await client.close();
        }
      } catch (error) {
        if (stopping.aborted) return;
        trouble = error as Error;
        const leftOut = said('lost');
        if (leftOut !== undefined) log.warn({ lane, leftOut, error }, 'events are not taken; it is tried again');
      }
    }, log));
  }
  stack.use(loop('intake waiting', lookMs, async () => {
    const [client] = connected.values();
    if (client === undefined || waiting.streams().length === 0) return;
    const manager = await jetstreamManager(client, { checkAPI: false });
    for (const stream of waiting.streams()) {
      const { ack_floor: floor } = await manager.consumers.info(stream, durable);
      waiting.readUpTo(stream, floor.stream_seq);
    }
  }, log));
  return stack;
}
