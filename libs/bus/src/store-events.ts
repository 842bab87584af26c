import { randomUUID } from 'node:crypto';
import { headers, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { type Deadline, remaining } from '@platform/service';

/** An event that JetStream has stored: the name of the stream, and the position of the event in it. */
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

/** Maximum number of writes to one shard at once. The second write reaches the server while the first one is synced. */
const writesAtOnce = 2;
/**
 * A write of fewer events sends them one by one. A batch costs JetStream files of its own, as much time as the syncs of
 * about this number of single events.
 */
const leastOfBatch = 8;
const mostOfBatch = 100;
/** Maximum size of an event in a batch, in bytes. With the headers of a batch, an event must not exceed a message. */
const mostBatchedBytes = 64 * 1024;

/**
 * Creates an {@link EventStore}. JetStream syncs each message to disk before it confirms the message, which limits a
 * stream to about 1,000 events per second. So the events that wait for a write are stored as one atomic batch, which
 * JetStream syncs once (ADR 0292).
 */
export function createEventStore(): EventStore {
  const shards = new Map<string, { readonly waiting: Waiting[]; writes: number }>();

  async function write(shard: string): Promise<void> {
    const own = shards.get(shard)!;
    own.writes += 1;
    while (own.waiting.length > 0) {
      const some = own.waiting.splice(0, mostOfBatch);
      await (some.length < leastOfBatch ? storeSingly(some) : storeBatch(some));
    }
    own.writes -= 1;
    if (own.writes === 0) shards.delete(shard);
  }

  return {
    store: (client, subject, data, deadline) => new Promise((resolve, reject) => {
      const event: Waiting = { client, subject, data, deadline, resolve, reject };
      if (data.length > mostBatchedBytes) return void storeSingly([event]);
      // The subject of an event begins with `events.s{shard}.`.
      const shard = subject.slice(0, subject.indexOf('.', 'events.'.length));
      const own = shards.get(shard) ?? { waiting: [], writes: 0 };
      shards.set(shard, own);
      own.waiting.push(event);
      if (own.writes < writesAtOnce) void write(shard);
    }),
  };
}

async function storeSingly(events: readonly Waiting[]): Promise<void> {
  await Promise.all(events.map(async ({ client, subject, data, deadline, resolve, reject }) => {
    try {
      const { stream, seq } = readAnswer(await client.request(subject, data, { timeout: timeout([deadline]) }));
      resolve({ stream, seq });
    } catch (error) {
      reject(error);
    }
  }));
}

/** Stores all events or none of them. */
async function storeBatch(events: readonly Waiting[]): Promise<void> {
  try {
    const { client } = events[0]!;
    const id = randomUUID();
    const head = (place: number) => {
      const head = headers();
      head.set('Nats-Batch-Id', id);
      head.set('Nats-Batch-Sequence', String(place + 1));
      return head;
    };
    for (const [place, { subject, data }] of events.slice(0, -1).entries()) {
      client.publish(subject, data, { headers: head(place) });
    }
    const last = events.at(-1)!;
    const commit = head(events.length - 1);
    commit.set('Nats-Batch-Commit', '1');
    const options = { headers: commit, timeout: timeout(events.map(({ deadline }) => deadline)) };
    const { stream, seq, count } = readAnswer(await client.request(last.subject, last.data, options));
    // A server before 2.12 does not know batches, and stores each message as it comes.
    if (count !== events.length) throw new Error('the NATS server does not support atomic batches');
    for (const [place, { resolve }] of events.entries()) resolve({ stream, seq: seq - count + 1 + place });
  } catch (error) {
    for (const { reject } of events) reject(error);
  }
}

/** Returns the time until the first of the deadlines, in milliseconds. */
function timeout(deadlines: readonly Deadline[]): number {
  return Math.max(1, Math.min(...deadlines.map(remaining)));
}

function readAnswer(answer: Msg): StoredEvent & { readonly count?: number } {
  const { error, ...stored } = answer.json<StoredEvent & { count?: number; error?: { description?: string } }>();
  if (error !== undefined) throw new Error(String(error.description));
  return stored;
}
