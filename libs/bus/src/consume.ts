import { type Consumer, jetstream, jetstreamManager, type JsMsg } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import {
  Conflict, type Deadline, DeadlineExceeded, deadlineIn, type Logger, type Loop, loop, type Readiness, seldom,
  Unavailable,
} from '@platform/service';
import type { BusConnected } from './ask-member.ts';
import { gather } from './gather.ts';
import { type ConsumedStream, prepareStream } from './prepare-stream.ts';
import { probeStream, probeSubject } from './probe-stream.ts';

export interface StoredMessage {
  readonly subject: string;
  readonly data: Uint8Array;
  readonly sequence: number;
  readonly storedAt: Date;
}

export interface Refusal {
  readonly message: StoredMessage;
  readonly error: unknown;
}

export interface Consumption {
  readonly stream: ConsumedStream;
  /** Name of the durable consumer. Replicas of a service use the same name and share the messages. */
  readonly durable: string;
  /** Interval for checking the stream and deleting handled messages, in milliseconds; default 10 s. */
  readonly careMs?: number;
  /**
   * Handles a batch of at most 400 messages. It has at most 2 MiB, or 1 MiB and one larger message. The messages are
   * acknowledged after `handle` returns, so `handle` must commit their effects first. Unacknowledged messages are
   * delivered again, so `handle` must be repeatable. A call may begin before the previous call ends, so that one batch
   * is parsed while others are stored; at most three calls run at once. After Unavailable, DeadlineExceeded or
   * Conflict, the whole batch is delivered again. After any other error, the messages are handled one by one. A message
   * that then fails is delivered again, or parked after several deliveries.
   */
  handle(messages: readonly StoredMessage[], deadline: Deadline): Promise<void>;
  /** Stores a message whose handling has failed several times. The message is not delivered again. */
  park(refusal: Refusal, deadline: Deadline): Promise<void>;
}

/** A batch with so many bytes or messages is full. A read adds at most {@link readBytes} and 100 messages. */
const full = { bytes: 1024 * 1024, messages: 300 };
/** Maximum bytes of a read, so that large messages do not use up the memory of the service. */
const readBytes = 1024 * 1024;
/** After this number of deliveries, a message that fails is parked, so that it does not delay other messages. */
const mostTries = 5;
const handleMs = 20_000;
/** Delay before a failed message is delivered again, in milliseconds. */
const againMs = 1_000;
/** How long one read waits for messages, in milliseconds. */
const waitMs = 2_000;
/** Pause before the next attempt after an error, in milliseconds. */
const tryMs = 500;
const connectMs = 2_000;
const probeMs = 2_000;

/**
 * Consumes a stream until disposed. Regularly checks the stream and deletes handled messages. The readiness report
 * contains a failure of the stream until the first check succeeds. After a failed read or a failed check, the report
 * contains a failure until the next check succeeds (ADR 0226).
 */
export function consume(
  connected: (deadline: Deadline) => Promise<BusConnected>, consumption: Consumption,
  { log, readiness }: { readonly log: Logger; readonly readiness: Readiness },
): Loop {
  const { stream, durable, careMs = 10_000 } = consumption;
  const said = seldom();
  let trouble: Error | undefined = new Error('not read yet');
  readiness.mentions(`stream ${stream.name}`, async () => {
    if (trouble !== undefined) throw trouble;
  });
  return loop(`bus ${durable}`, tryMs, async (stopping) => {
    try {
      const { client } = await connected(deadlineIn(connectMs, stopping));
      await prepareStream(client, stream, durable);
      const consumer = await jetstream(client).consumers.get(stream.name, durable);
      let caredAt = -Infinity;
      let cared: Cared | undefined;
      await using batches = gather<JsMsg>((batch) => handleBatch(consumption, batch, stopping, log), isFull);
      while (!stopping.aborted && !client.isClosed()) {
        if (performance.now() - caredAt >= careMs) {
          try {
            cared = await careFor(client, consumption, cared);
            trouble = undefined;
          } catch (error) {
            trouble = error as Error;
          }
          caredAt = performance.now();
        }
        await fetchBatch(consumer, (message) => {
          if (message.subject === probeSubject(stream.subjects)) message.ack();
          else batches.add(message);
        });
        await batches.flush();
      }
    } catch (error) {
      if (stopping.aborted) return;
      trouble = error as Error;
      const leftOut = said(durable);
      if (leftOut !== undefined) log.warn({ durable, leftOut, error }, 'cannot read a stream; retrying');
    }
  }, log);
}

interface Cared {
  /** Number of deliveries by the consumer before the check. */
  readonly deliveries: number;
  /** Sequence number of the test message that the check wrote to the stream. */
  readonly probe: number;
}

/**
 * Checks a stream, and deletes handled messages. A consumer may deliver nothing and report no error, for example while
 * the consumer is paused. So the check fails if the consumer has delivered nothing since the previous check, not even
 * the test message of that check.
 * @param last the result of the previous check. The caller must have requested messages since then
 * @throws Error if the stream cannot be written or read, or if the consumer delivers nothing
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

/**
 * Reads messages for {@link waitMs}, or until the limit is reached. Without `max_messages`, the NATS client reads at
 * most 100 messages. @param take called with each message
 */
async function fetchBatch(
  consumer: Consumer, take: (message: JsMsg) => void,
  limit: { max_bytes: number } | { max_messages: number } = { max_bytes: readBytes },
): Promise<void> {
  let isEmpty = true;
  try {
    for await (const message of await consumer.fetch({ ...limit, expires: waitMs })) {
      isEmpty = false;
      take(message);
    }
  } catch (error) {
    // If the next message is larger than the maximum size of a batch, the server ends the request with an error.
    if (isEmpty && 'max_messages' in limit) throw error;
    if (isEmpty) return fetchBatch(consumer, take, { max_messages: 1 });
  }
}

function isFull(batch: readonly JsMsg[]): boolean {
  return batch.length >= full.messages || batch.reduce((sum, { data }) => sum + data.length, 0) >= full.bytes;
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
    // An outage of a dependency, or a conflict with another transaction, is not caused by a message.
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
