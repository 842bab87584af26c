import {
  AckPolicy, type Consumer, DeliverPolicy, jetstream, jetstreamManager, JetStreamApiError, type JetStreamManager,
  type JsMsg,
} from '@nats-io/jetstream';
import { nanos, type NatsConnection } from '@nats-io/transport-node';
import {
  Conflict, type Deadline, DeadlineExceeded, deadlineIn, type Logger, type Loop, loop, type Readiness, seldom,
  Unavailable,
} from '@platform/service';
import type { BusConnected } from './ask-member.ts';
import { probeStream, probeSubject } from './probe-stream.ts';

export interface StoredMessage {
  readonly subject: string;
  readonly data: Uint8Array;
  /** Number of the message in the stream. */
  readonly sequence: number;
  /** When the bus stored it. */
  readonly storedAt: Date;
}

/** A message that is not counted, and why. */
export interface Refusal {
  readonly message: StoredMessage;
  readonly error: unknown;
}

/** How the messages of a stream are handled. */
export interface Consumption {
  readonly stream: {
    readonly name: string;
    /** The stream is created or updated to have these subjects before it is read. */
    readonly subjects: readonly string[];
    /** How long unhandled messages are kept, in milliseconds. */
    readonly maxAgeMs: number;
  };
  /** Name of the consumer. Replicas of a service share its messages under one name. */
  readonly durable: string;
  /** Interval for deleting handled messages and for writing a test message, in milliseconds; default 10 s. */
  readonly careMs?: number;
  /**
   * Handles a batch of at most 100 messages and 1 MiB, or a single larger message, in the order of the stream. The
   * messages are acknowledged when it returns, so their effects must be committed by then. If it throws or the process
   * ends before, all messages are delivered again, so handling must be repeatable. If a batch fails, and not because of
   * an outage, its messages are handled one by one.
   */
  handle(messages: readonly StoredMessage[], deadline: Deadline): Promise<void>;
  /** Stores a message that has failed alone several times. It is not delivered again. */
  park(refusal: Refusal, deadline: Deadline): Promise<void>;
}

/** Maximum bytes of a batch, so that large messages of a few members do not use up the memory of a service. */
const batchBytes = 1024 * 1024;
/** After this number of failures a message is parked, so that it does not delay others. */
const mostTries = 5;
/** Time limit for a batch, and the time after which unfinished messages are delivered again, in milliseconds. */
const handleMs = 20_000;
const ackWaitMs = 30_000;
/** Delay before a failed message is delivered again, in milliseconds. */
const againMs = 1_000;
/**
 * Maximum number of messages that wait for their next try. Above it, no replica gets new messages, so it must be far
 * more than the failed messages of a few seconds. It also limits what the servers remember during an outage.
 */
const mostWaiting = 20_000;
/** Number of servers in a cluster that keep a copy of a stream (ADR 0060). */
const copies = 3;
/** How long a read waits for messages, and the pause before the next attempt after an outage, in milliseconds. */
const waitMs = 2_000;
const tryMs = 500;
const connectMs = 2_000;
const usualCareMs = 10_000;
const probeMs = 2_000;

/**
 * Consumes a stream until disposed, and deletes handled messages. Readiness mentions the stream if its messages are not
 * read or not delivered, or if a test message cannot be read back (ADR 0226).
 * @param connected returns the connection as soon as there is one
 */
export function consume(
  connected: (deadline: Deadline) => Promise<BusConnected>,
  consumption: Consumption,
  { log, readiness }: { readonly log: Logger; readonly readiness: Readiness },
): Loop {
  const { stream, durable, careMs = usualCareMs } = consumption;
  const said = seldom();
  let trouble: Error | undefined = new Error('not read yet');
  readiness.mentions(`stream ${stream.name}`, async () => {
    if (trouble !== undefined) throw trouble;
  });
  return loop(`bus ${durable}`, tryMs, async (stopping) => {
    try {
      const { client } = await connected(deadlineIn(connectMs, stopping));
      await prepare(client, consumption);
      const consumer = await jetstream(client).consumers.get(stream.name, durable);
      let caredAt = -Infinity;
      let cared: Cared | undefined;
      while (!stopping.aborted && !client.isClosed()) {
        const messages = await fetchBatch(consumer);
        if (performance.now() - caredAt >= careMs) {
          try {
            cared = await careFor(client, consumption, cared);
            trouble = undefined;
          } catch (error) {
            trouble = error as Error;
          }
          caredAt = performance.now();
        }
        const { given = [], probes = [] } = Object.groupBy(messages, ({ subject }) => {
          return subject === probeSubject(stream.subjects) ? 'probes' : 'given';
        });
        for (const message of probes) message.ack();
        if (given.length > 0) await handleBatch(consumption, given, stopping, log);
      }
    } catch (error) {
      if (stopping.aborted) return;
      trouble = error as Error;
      const leftOut = said(durable);
      if (leftOut !== undefined) log.warn({ durable, leftOut, error }, 'cannot read a stream; retrying');
    }
  }, log);
}

/** The result of a check of a stream. */
interface Cared {
  /** How often the consumer had delivered a message at that time. */
  readonly deliveries: number;
  /** Number of the test message that the check wrote to the stream. */
  readonly probe: number;
}

/**
 * Checks a stream, and deletes handled messages. A consumer that is paused, or that the server has forgotten to wake,
 * answers requests as if there were no messages. Only the test message of the previous check reveals this.
 * @param last the result of the previous check; messages have been requested since then
 * @throws Error if the stream cannot be written or read, or if its messages are not delivered
 */
async function careFor(
  client: NatsConnection, { stream: { name, subjects }, durable }: Consumption, last: Cared | undefined,
): Promise<Cared> {
  const manager = await jetstreamManager(client, { checkAPI: false, timeout: probeMs });
  const { ack_floor: { stream_seq: handled }, delivered, paused } = await manager.consumers.info(name, durable);
  const probe = await probeStream(client, manager, name, subjects, probeMs);
  if (handled > 0) await manager.streams.purge(name, { seq: handled + 1 });
  if (delivered.consumer_seq === last?.deliveries && delivered.stream_seq < last.probe) {
    throw new Error(`the consumer ${durable} ${paused === true ? 'is paused' : 'delivers no stored messages'}`);
  }
  return { deliveries: delivered.consumer_seq, probe };
}

/** The client reads at most 100 messages at once. */
async function fetchBatch(
  consumer: Consumer, limit: { max_bytes: number } | { max_messages: number } = { max_bytes: batchBytes },
): Promise<JsMsg[]> {
  const messages: JsMsg[] = [];
  try {
    for await (const message of await consumer.fetch({ ...limit, expires: waitMs })) messages.push(message);
  } catch (error) {
    // The server ends a request with an error if the next message does not fit.
    if (messages.length === 0 && 'max_messages' in limit) throw error;
    if (messages.length === 0) return fetchBatch(consumer, { max_messages: 1 });
  }
  return messages;
}

/** Creates or updates the stream and the consumer. The number of copies of an existing stream is not changed. */
async function prepare(client: NatsConnection, { stream, durable }: Consumption): Promise<void> {
  const manager = await jetstreamManager(client);
  const { name, subjects, maxAgeMs } = stream;
  const wanted = { subjects: [...subjects], max_age: nanos(maxAgeMs) };
  try {
    await manager.streams.update(name, wanted);
  } catch (error) {
    if (!isMissing(error)) throw error;
    await manager.streams.add({ name, ...wanted, num_replicas: client.info?.cluster === undefined ? 1 : copies });
  }
  await prepareConsumer(manager, name, durable);
}

/**
 * Creates or updates the durable consumer. A consumer that cannot be updated is replaced by a new one, which begins
 * after the last message up to which all messages are acknowledged. Another version may have created the old one.
 */
async function prepareConsumer(manager: JetStreamManager, stream: string, durable: string): Promise<void> {
  const wanted = {
    description: '', ack_wait: nanos(ackWaitMs), max_deliver: -1, max_ack_pending: mostWaiting, inactive_threshold: 0,
  };
  const fresh = { ...wanted, durable_name: durable, ack_policy: AckPolicy.Explicit };
  const known = await manager.consumers.info(stream, durable).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
    return undefined;
  });
  if (known === undefined) {
    await manager.consumers.add(stream, fresh);
    return;
  }
  const { ack_floor: { stream_seq: floor }, config } = known;
  const isPulled = config.deliver_subject === undefined && config.ack_policy === AckPolicy.Explicit
    && config.filter_subject === undefined && config.filter_subjects === undefined;
  try {
    if (!isPulled) throw new Error('the consumer is of another kind');
    await manager.consumers.update(stream, durable, wanted);
  } catch (error) {
    if (isPulled && !(error instanceof JetStreamApiError)) throw error;
    await manager.consumers.delete(stream, durable);
    const start = { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: floor + 1 };
    await manager.consumers.add(stream, { ...fresh, ...start });
  }
}

/** Error codes of JetStream for a missing stream and a missing consumer. */
const missing: readonly number[] = [10059, 10014];

function isMissing(error: unknown): boolean {
  return error instanceof JetStreamApiError && missing.includes(error.code);
}

async function handleBatch(
  consumption: Consumption, batch: readonly JsMsg[], stopping: AbortSignal, log: Logger,
): Promise<void> {
  const { handle, park, durable } = consumption;
  const deadline = deadlineIn(handleMs, stopping);
  try {
    await handle(batch.map(storedMessage), deadline);
  } catch (error) {
    log.warn({ durable, messages: batch.length, error }, 'messages were not handled');
    // An outage of a dependency, or a lost race, is not the fault of a message.
    if (error instanceof Unavailable || error instanceof DeadlineExceeded || error instanceof Conflict) {
      for (const message of batch) message.nak(againMs);
      return;
    }
    const [first, ...others] = batch as [JsMsg, ...JsMsg[]];
    if (others.length > 0) {
      for (const message of batch) await handleBatch(consumption, [message], stopping, log);
    } else if (first.info.deliveryCount < mostTries) {
      first.nak(againMs);
    } else {
      await park({ message: storedMessage(first), error }, deadline);
      first.term('parked');
    }
    return;
  }
  for (const message of batch) message.ack();
}

function storedMessage(message: JsMsg): StoredMessage {
  return { subject: message.subject, data: message.data, sequence: message.seq, storedAt: message.time };
}
