import { isDeepStrictEqual } from 'node:util';
import {
  AckPolicy, DeliverPolicy, jetstreamManager, JetStreamApiError, type JetStreamManager,
} from '@nats-io/jetstream';
import { nanos, type NatsConnection } from '@nats-io/transport-node';

export interface ConsumedStream {
  readonly name: string;
  /** Subjects whose messages the stream stores. The stream is created or updated before it is read. */
  readonly subjects: readonly string[];
  /** How long the stream keeps unhandled messages, in milliseconds. */
  readonly maxAgeMs: number;
}

/** Time after which unacknowledged messages are delivered again, in milliseconds. */
const ackWaitMs = 30_000;
/**
 * Maximum number of delivered messages that are not acknowledged yet. At this number, no replica gets new messages. So
 * the limit must be far above the number of messages that fail within a few seconds.
 */
const mostWaiting = 20_000;
/** Number of copies of a new stream if the NATS servers form a cluster (ADR 0294). */
const copies = 3;

/** Creates or updates the stream and the consumer. The number of copies of an existing stream is not changed. */
export async function prepareStream(
  client: NatsConnection, { name, subjects, maxAgeMs }: ConsumedStream, durable: string,
): Promise<void> {
  const manager = await jetstreamManager(client);
  // The intake of events stores atomic batches.
  const wanted = { subjects: [...subjects], max_age: nanos(maxAgeMs), allow_atomic: true };
  const known = (await manager.streams.info(name).catch(unlessMissing))?.config;
  if (known === undefined) {
    await manager.streams.add({ name, ...wanted, num_replicas: client.info?.cluster === undefined ? 1 : copies });
  } else if (!isDeepStrictEqual({ ...known, ...wanted }, known)) {
    // Update only if needed: during an update, nats-server 2.15.2 may confirm a batch before it syncs the batch.
    await manager.streams.update(name, wanted);
  }
  await prepareConsumer(manager, name, durable);
}

/**
 * Creates or updates a consumer. Replaces a consumer of another kind, or a consumer that JetStream refuses to update.
 * The replacement starts with the first message that is not acknowledged.
 */
async function prepareConsumer(manager: JetStreamManager, stream: string, durable: string): Promise<void> {
  const wanted = {
    description: '', ack_wait: nanos(ackWaitMs), max_deliver: -1, max_ack_pending: mostWaiting, inactive_threshold: 0,
  };
  const fresh = { ...wanted, durable_name: durable, ack_policy: AckPolicy.Explicit };
  const known = await manager.consumers.info(stream, durable).catch(unlessMissing);
  if (known === undefined) return void (await manager.consumers.add(stream, fresh));
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

function unlessMissing(error: unknown): undefined {
  if (error instanceof JetStreamApiError && missing.includes(error.code)) return undefined;
  throw error;
}
