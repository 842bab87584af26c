import { randomUUID } from 'node:crypto';
import { headers, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { createLimiter, type Deadline, DeadlineExceeded, remaining } from '@platform/service';

/** An event that JetStream has stored: the name of the stream, and the sequence number of the event in it. */
interface StoredEvent {
  readonly stream: string;
  readonly seq: number;
}

/** Stores events in JetStream. */
interface EventStore {
  /**
   * Stores an event under a subject. Returns after JetStream has written the event to disk.
   * @throws Error if JetStream refuses the event or does not answer in time
   */
  store(client: NatsConnection, subject: string, data: Uint8Array, deadline: Deadline): Promise<StoredEvent>;
}

interface Waiting {
  readonly client: NatsConnection;
  readonly subject: string;
  readonly data: Uint8Array;
  readonly deadline: Deadline;
  readonly resolve: (stored: StoredEvent) => void;
  readonly reject: (error: unknown) => void;
}

type Answer = StoredEvent & {
  readonly count?: number;
  readonly error?: { readonly err_code?: number; readonly description?: string };
};

/**
 * Minimum number of events in a batch. Fewer events are sent one by one, because JetStream creates extra files for a
 * batch. Creating these files takes about as long as syncing this number of single events.
 */
const leastOfBatch = 8;
const mostOfBatch = 100;
/**
 * Maximum size of an event in a batch, in bytes. Larger events are stored alone, because the largest event and the
 * headers of a batch together would exceed the maximum size of a message.
 */
const mostBatchedBytes = 64 * 1024;
/** Maximum number of events that are stored alone at the same time. */
const aloneAtOnce = 8;
/** The first version of the NATS server with atomic batches. Earlier servers store each message of a batch. */
const versionWithBatches = [2, 12] as const;
/** JetStream's error code for a stream without `allow_atomic`. */
const batchesAreDisabled = 10174;

/**
 * Creates an {@link EventStore}. JetStream syncs each message to disk before it confirms the message, which limits a
 * stream to about 1,000 events per second. So the events that wait for a write are stored as one atomic batch, which
 * JetStream syncs once (ADR 0292).
 */
export function createEventStore(): EventStore {
  /** The waiting events of each shard that is being written to. */
  const shards = new Map<string, Waiting[]>();
  const alone = createLimiter(aloneAtOnce, 'storing a large event');

  async function write(shard: string, waiting: Waiting[]): Promise<void> {
    while (waiting.length > 0) await storeSome(waiting.splice(0, mostOfBatch));
    shards.delete(shard);
  }

  return {
    store: (client, subject, data, deadline) => {
      if (data.length > mostBatchedBytes) return alone.run(deadline, () => storeOne(client, subject, data, deadline));
      return new Promise((resolve, reject) => {
        const event: Waiting = { client, subject, data, deadline, resolve, reject };
        // The subject of an event begins with `events.s{shard}.`.
        const shard = subject.slice(0, subject.indexOf('.', 'events.'.length));
        const waiting = shards.get(shard);
        if (waiting !== undefined) return void waiting.push(event);
        const first = [event];
        shards.set(shard, first);
        void write(shard, first);
      });
    },
  };
}

async function storeSome(events: readonly Waiting[]): Promise<void> {
  const ready = events.filter(({ client, deadline, reject }) => {
    if (client.isClosed()) reject(new Error('the connection was lost'));
    else if (remaining(deadline) <= 0) reject(new DeadlineExceeded('storing an event'));
    else return true;
    return false;
  });
  const isBatch = ready.length >= leastOfBatch && knowsBatches(ready[0]!.client);
  if (isBatch && await storeBatch(ready)) return;
  await Promise.all(ready.map(({ client, subject, data, deadline, resolve, reject }) =>
    storeOne(client, subject, data, deadline).then(resolve, reject)));
}

async function storeOne(
  client: NatsConnection, subject: string, data: Uint8Array, deadline: Deadline,
): Promise<StoredEvent> {
  const answer = await client.request(subject, data, { timeout: Math.max(1, remaining(deadline)) });
  const { stream, seq } = accepted(answer.json<Answer>());
  return { stream, seq };
}

/** Stores all events or none of them. @returns false if the stream accepts no batches; then no event was stored */
async function storeBatch(events: readonly Waiting[]): Promise<boolean> {
  try {
    const answer = (await sendBatch(events)).json<Answer>();
    if (answer.error?.err_code === batchesAreDisabled) return false;
    const { stream, seq, count } = accepted(answer);
    if (count !== events.length) throw new Error(`the NATS server stored a batch as ${count ?? 'single messages'}`);
    for (const [place, { resolve }] of events.entries()) resolve({ stream, seq: seq - count + 1 + place });
  } catch (error) {
    for (const { reject } of events) reject(error);
  }
  return true;
}

/** Sends a batch, and returns the answer to its last message. Only this message has an answer. */
async function sendBatch(events: readonly Waiting[]): Promise<Msg> {
  const { client } = events[0]!;
  const id = randomUUID();
  const headersOf = (place: number) => {
    const head = headers();
    head.set('Nats-Batch-Id', id);
    head.set('Nats-Batch-Sequence', String(place + 1));
    return head;
  };
  for (const [place, { subject, data }] of events.slice(0, -1).entries()) {
    client.publish(subject, data, { headers: headersOf(place) });
  }
  const last = events.at(-1)!;
  const commit = headersOf(events.length - 1);
  commit.set('Nats-Batch-Commit', '1');
  // Use the latest deadline, so that an event with little time left does not make the other events fail.
  const timeout = Math.max(...events.map(({ deadline }) => remaining(deadline)), 1);
  return client.request(last.subject, last.data, { headers: commit, timeout });
}

function knowsBatches({ info }: NatsConnection): boolean {
  const [major = 0, minor = 0] = (info?.version ?? '').split('.').map(Number);
  return major > versionWithBatches[0] || (major === versionWithBatches[0] && minor >= versionWithBatches[1]);
}

function accepted({ error, ...stored }: Answer): Omit<Answer, 'error'> {
  if (error !== undefined) throw new Error(String(error.description));
  return stored;
}
