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

/** A message of a stream. */
export interface StoredMessage {
  readonly subject: string;
  readonly data: Uint8Array;
  /** Its number in the stream. */
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
  /** How often the stream is cleared of what was handled, and written to as a test, in milliseconds; default 10 s. */
  readonly careMs?: number;
  /**
   * Handles a batch of at most 100 messages and 1 MiB, or of one larger message, in the order of the stream. When it
   * returns, the messages are acknowledged, so they must be committed by then. All come again when it throws or the
   * process ends before, so handling must be repeatable. When a batch throws, and not because of an outage, its
   * messages are handled one by one.
   */
  handle(messages: readonly StoredMessage[], deadline: Deadline): Promise<void>;
  /** Stores a message that has failed alone several times. It is not delivered again. */
  park(refusal: Refusal, deadline: Deadline): Promise<void>;
}

/** Maximum bytes of a batch, so that large messages of a few members do not use up the memory of a service. */
const batchBytes = 1024 * 1024;
/** After this number of failures a message is parked, so that it does not delay others. */
const mostTries = 5;
/** How long a batch may be worked on, and when a message of an unfinished batch comes again, in milliseconds. */
const handleMs = 20_000;
const ackWaitMs = 30_000;
/** Delay before a failed message is delivered again, in milliseconds. */
const againMs = 1_000;
/**
 * Messages that may wait for their next try. Beyond that nothing new is delivered to any replica: it must be far more
 * than the failed messages of a few seconds, and bounds what an outage makes the servers remember.
 */
const mostWaiting = 20_000;
/** Servers of a cluster that keep a copy of a stream (ADR 0060). */
const copies = 3;
/** How long a read waits for messages, and how long until the next attempt after an outage, in milliseconds. */
const waitMs = 2_000;
const tryMs = 500;
const connectMs = 2_000;
const usualCareMs = 10_000;
const probeMs = 2_000;

/**
 * Consumes a stream until disposed, and clears it of what was handled. Readiness mentions the stream while its messages
 * are not read or not delivered, or while a message that is written as a test cannot be read back (ADR 0226).
 * @param connected the connection, once there is one
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

/** How a stream was found. */
interface Cared {
  /** How often its consumer had delivered a message. */
  readonly deliveries: number;
  /** Number in the stream of the message that was then written as a test. */
  readonly probe: number;
}

/**
 * A consumer that is paused, or that the server has forgotten to wake, answers each request of messages as if there
 * were none: that it delivers nothing shows by the test message of the time before alone.
 * @param last how the stream was found the time before; messages were asked for since then
 * @throws Error when the stream cannot be written to and read from, or when nothing of it is delivered
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
  await prepareConsumer(manager, name, durable);
}

/**
 * Makes the durable consumer, or brings it in line: another version may have made it. One that cannot be changed is
 * replaced by one that begins behind the last message of which all before are acknowledged.
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

/** There is no such stream, or no such consumer. */
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
