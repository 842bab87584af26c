import { jetstreamManager } from '@nats-io/jetstream';
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import {
  createLimiter, type Deadline, deadlineIn, type Limiter, loop, onBehalfOf, type OpenService, seldom,
} from '@platform/service';
import { type BusLogin, dial } from './dial.ts';
import { eventSubject, lanes, laneSubject, memberOfEvent, type Member } from './member-subjects.ts';
import { createRefuser, type Reason } from './refuse-events.ts';
import { createShares, type ShareRates, type ShareRefusal } from './shares.ts';
import { createEventStore } from './store-events.ts';
import { countWaitingBytes } from './waiting-bytes.ts';

export interface IntakeOptions {
  /** Number of shards into which the subjects of events are divided (open-points 13.2). */
  readonly shards: number;
  readonly rates: ShareRates;
  /** Name of the JetStream consumer that reads the stored events. */
  readonly durable: string;
  /**
   * Returns a refusal if the organization or the agent has reached its quota of stored events, or if the number of
   * stored events is not known yet; otherwise undefined.
   */
  readonly keptRefusal: (member: Member) => ShareRefusal | undefined;
}

const connectMs = 2_000;
const tryMs = 500;
/** Time limit for storing an event, including the wait for its turn, in milliseconds. */
const storeMs = 5_000;
/** Maximum number of events that are stored at once, for all organizations together and for each (ADR 0292). */
const storedAtOnce = { ofAll: 200, ofOrganization: 100 };
/**
 * Maximum number of waiting events of one organization. If `rates.eventsPerSecond` permits more events in half a
 * second, that number is the maximum (ADR 0170). An agent sends up to 50 events at once.
 */
const leastWaiting = 100;
/** Maximum bytes of the events of one organization that wait or are being stored. */
const mostWaitingBytes = 16 * 1024 * 1024;
/** Interval at which the service asks JetStream which events the consumer has read, in milliseconds. */
const lookMs = 1_000;

/**
 * Receives events of agents until disposed, and stores their data in JetStream. Refuses events above the limits of an
 * organization or an agent. Organizations take turns. After an event is stored, the agent receives the name of the
 * stream and the sequence number of the event. Headers of events are not passed on, because the NATS servers would obey
 * the headers. Each event goes to one replica. The reasons are in docs/adr/0170 and 0292.
 */
export function openIntake(
  login: BusLogin, { shards, rates, durable, keptRefusal }: IntakeOptions,
  { log, metrics, readiness }: Pick<OpenService, 'log' | 'metrics' | 'readiness'>,
): AsyncDisposable {
  const takeShare = createShares(rates);
  const waiting = countWaitingBytes();
  const turns = createLimiter(storedAtOnce.ofAll, 'storing an event');
  const organizations = new Map<number, { limiter: Limiter; bytes: number }>();
  const said = seldom();
  const mostWaiting = Math.max(leastWaiting, rates.eventsPerSecond / 2);
  const refuser = createRefuser({ log, metrics });
  const events = createEventStore();

  function arrive(client: NatsConnection, message: Msg): void {
    if (refuser.refuseAgain(message)) return;
    const member = memberOfEvent(message.subject);
    const bytes = storedBytes(message);
    const refusal = member === undefined ? noMember : refusalOf(member, bytes);
    if (refusal !== undefined) return refuser.refuse(message, refusal);
    const { ownerId } = member!;
    const own = organizations.get(ownerId)
      ?? { limiter: createLimiter(storedAtOnce.ofOrganization, 'storing an event'), bytes: 0 };
    organizations.set(ownerId, own);
    own.bytes += bytes;
    const deadline = deadlineIn(storeMs);
    const inTurn = () => turns.run(deadline, () => store(client, member!, message, deadline));
    own.limiter.run(deadline, () => onBehalfOf(String(ownerId), inTurn))
      .catch((error: unknown) => {
        const reason = `the event could not be stored: ${(error as Error).message}`;
        if (!client.isClosed()) refuser.fail(message, { kind: 'store', code: 503, reason });
      })
      .finally(() => {
        own.bytes -= bytes;
        if (own.limiter.idle) organizations.delete(ownerId);
      });
  }

  /** Returns the reason if the event must be refused. Otherwise, counts the event and returns undefined. */
  function refusalOf(member: Member, bytes: number): Reason | undefined {
    const { ownerId } = member;
    const own = organizations.get(ownerId);
    if (own !== undefined && (own.limiter.waiting >= mostWaiting || own.bytes + bytes > mostWaitingBytes)) {
      return tooMuch('busy', {
        reason: 'too many events or bytes of the organization wait to be stored', retrySeconds: 1,
      });
    }
    const full = keptRefusal(member);
    if (full !== undefined) return tooMuch('kept', full);
    const whose = waiting.ofOrganization(ownerId) + bytes > rates.waitingBytes ? 'organization'
      : waiting.ofMember(member) + bytes > rates.waitingBytes / 2 ? 'member' : undefined;
    if (whose !== undefined) {
      return tooMuch('waiting', { reason: `too many bytes of the ${whose} wait to be read`, retrySeconds: 10 });
    }
    const tooMany = takeShare(member, bytes);
    return tooMany && tooMuch('rate', tooMany);
  }

  async function store(client: NatsConnection, member: Member, message: Msg, deadline: Deadline): Promise<void> {
    const { stream, seq } = await events.store(client, eventSubject(member, shards), message.data, deadline);
    waiting.add(stream, member, seq, storedBytes(message));
    message.respond(JSON.stringify({ stream, seq }));
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
        const message = 'a connection that receives events is down; retrying';
        if (leftOut !== undefined) log.warn({ lane, leftOut, error }, message);
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

/** Estimates the bytes of an event in the file of a stream: data, subject, and 130 bytes for record and headers. */
function storedBytes({ data, subject }: Msg): number {
  return data.length + subject.length + 130;
}

const noMember: Reason = {
  kind: 'subject', code: 400, reason: 'the subject does not name an owner, a cluster and a product',
};

function tooMuch(kind: Reason['kind'], { reason, retrySeconds }: ShareRefusal): Reason {
  return { kind, code: 429, reason, retrySeconds };
}
