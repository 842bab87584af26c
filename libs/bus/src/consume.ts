import {
  AckPolicy, type Consumer, jetstream, jetstreamManager, JetStreamApiError, type JsMsg,
} from '@nats-io/jetstream';
import { nanos, type NatsConnection } from '@nats-io/transport-node';
import {
  Conflict, type Deadline, DeadlineExceeded, deadlineIn, type Logger, type Loop, loop, seldom, Unavailable,
} from '@platform/service';
import type { BusConnected } from './ask-member.ts';

/** A message of a stream. */
export interface StoredMessage {
  readonly subject: string;
  readonly data: Uint8Array;
  /** Its number in the stream. */
  readonly sequence: number;
  /** When the bus stored it. */
  readonly storedAt: Date;
}

/** A message that a handler could not take, and why. */
export interface Refusal {
  readonly message: StoredMessage;
  readonly error: unknown;
}

/** How the messages of a stream are handled. */
export interface Consumption {
  readonly stream: {
    readonly name: string;
    /** The stream is made, or brought in line with this, before it is read. */
    readonly subjects: readonly string[];
    /** Messages are kept so long, in milliseconds. */
    readonly maxAgeMs: number;
  };
  /** Names the consumer; replicas of a service share its messages under one name. */
  readonly durable: string;
  /**
   * Handles a batch of at most 100 messages and 1 MiB, or of one larger message, in the order of the stream. When it
   * returns, the messages are acknowledged, so they must be committed by then. It returns those that it refuses: they
   * come again. All come again when it throws or the process ends before, so it must not matter how often they come.
   * When a batch throws, and not because of an outage, its messages are handled one by one.
   */
  handle(messages: readonly StoredMessage[], deadline: Deadline): Promise<readonly Refusal[]>;
  /** Keeps messages that were refused, or failed alone, on their fifth delivery or later; they do not come again. */
  park(refusals: readonly Refusal[], deadline: Deadline): Promise<void>;
}

/** Most bytes of a batch: a few members with large messages must not use up the memory of a service. */
const batchBytes = 1024 * 1024;
/** A message that fails so often is parked (open-points 13.2). */
const mostTries = 5;
/** How long a batch may be worked on, and when a message that was neither handled nor refused comes again, in ms. */
const handleMs = 20_000;
const ackWaitMs = 30_000;
/** A message that failed comes again after so long, in milliseconds. */
const againMs = 1_000;
/**
 * Messages that may wait for their next try. Beyond that nothing new is delivered to any replica: it must be far more
 * than the refused messages of a few seconds, and bounds what an outage makes the servers remember.
 */
const mostWaiting = 20_000;
/** Servers of a cluster that keep a copy of a stream (ADR 0060). */
const copies = 3;
/** How long a read waits for messages, and how long until the next attempt after an outage, in milliseconds. */
const waitMs = 2_000;
const tryMs = 500;
const connectMs = 2_000;

/** Consumes a stream until disposed. @param connected the connection, once there is one */
export function consume(
  connected: (deadline: Deadline) => Promise<BusConnected>,
  consumption: Consumption,
  log: Logger,
): Loop {
  const { stream, durable } = consumption;
  const said = seldom();
  return loop(`bus ${durable}`, tryMs, async (stopping) => {
    try {
      const { client } = await connected(deadlineIn(connectMs, stopping));
      await prepare(client, consumption);
      const consumer = await jetstream(client).consumers.get(stream.name, durable);
      while (!stopping.aborted && !client.isClosed()) {
        const messages = await fetchBatch(consumer);
        if (messages.length > 0) await handleBatch(consumption, messages, stopping, log);
      }
    } catch (error) {
      if (stopping.aborted) return;
      const leftOut = said(durable);
      if (leftOut !== undefined) log.warn({ durable, leftOut, error }, 'a stream cannot be read; it is tried again');
    }
  }, log);
}

/** The client reads at most 100 messages at once. */
async function fetchBatch(
  consumer: Consumer, limit: { max_bytes: number } | { max_messages: number } = { max_bytes: batchBytes },
): Promise<JsMsg[]> {
  const messages: JsMsg[] = [];
  try {
    for await (const message of await consumer.fetch({ ...limit, expires: waitMs })) messages.push(message);
  } catch (error) {
    // The server ends a request with an error where the next message does not fit.
    if (messages.length === 0 && 'max_messages' in limit) throw error;
    if (messages.length === 0) return fetchBatch(consumer, { max_messages: 1 });
  }
  return messages;
}

/** Makes the stream and the consumer, or brings them in line. How many copies a stream has is left to the operator. */
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
  await manager.consumers.add(name, {
    durable_name: durable, ack_policy: AckPolicy.Explicit, ack_wait: nanos(ackWaitMs), max_deliver: -1,
    max_ack_pending: mostWaiting,
  });
}

const streamMissing = 10059;

function isMissing(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === streamMissing;
}

async function handleBatch(
  consumption: Consumption, batch: readonly JsMsg[], stopping: AbortSignal, log: Logger,
): Promise<void> {
  const { handle, park, durable } = consumption;
  const deadline = deadlineIn(handleMs, stopping);
  const messages = new Map(batch.map((message) => [storedMessage(message), message]));
  let refusals: readonly Refusal[];
  try {
    refusals = await handle([...messages.keys()], deadline);
  } catch (error) {
    log.warn({ durable, messages: batch.length, error }, 'messages were not handled');
    // An outage of what the handler needs, and a lost race, are no fault of a message.
    if (error instanceof Unavailable || error instanceof DeadlineExceeded || error instanceof Conflict) {
      for (const message of batch) message.nak(againMs);
      return;
    }
    if (batch.length > 1) {
      for (const message of batch) await handleBatch(consumption, [message], stopping, log);
      return;
    }
    refusals = [...messages.keys()].map((message) => ({ message, error }));
  }
  const refused = new Set(refusals.map(({ message }) => message));
  for (const [stored, message] of messages) if (!refused.has(stored)) message.ack();
  const triedOften = (refusal: Refusal) => messages.get(refusal.message)!.info.deliveryCount >= mostTries;
  const { again = [], parked = [] } = Object.groupBy(refusals, (refusal) => (triedOften(refusal) ? 'parked' : 'again'));
  for (const { message } of again) messages.get(message)!.nak(againMs);
  if (parked.length === 0) return;
  await park(parked, deadline);
  for (const { message } of parked) messages.get(message)!.term('parked');
}

function storedMessage(message: JsMsg): StoredMessage {
  return { subject: message.subject, data: message.data, sequence: message.seq, storedAt: message.time };
}
