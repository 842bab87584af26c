import { randomUUID } from 'node:crypto';
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { type BusLogin, withClient } from './dial.ts';

/** Returns the subject for test messages in a stream. No agent publishes to this subject. */
export function probeSubject([subject]: readonly string[]): string {
  return subject!.replaceAll(/[*>]/g, 'probe');
}

/**
 * Writes a test message to a stream and reads it back. Returns the sequence number of the message.
 * @throws Error if writing or reading fails; TimeoutError of the NATS client if no answer arrives in time
 */
export async function probeStream(
  client: NatsConnection, manager: JetStreamManager, name: string, subjects: readonly string[], timeoutMs: number,
): Promise<number> {
  const text = randomUUID();
  const answer = await client.request(probeSubject(subjects), text, { timeout: timeoutMs });
  const { error, seq } = answer.json<{ error?: { description?: string }; seq: number }>();
  if (error !== undefined) throw new Error(`the stream cannot be written to: ${error.description}`);
  const found = await manager.streams.getMessage(name, { seq });
  if (found?.string() !== text) throw new Error('the stream did not return the written message');
  return seq;
}

/**
 * Tests whether each stream of events answers. In nats-server 2.15.2, a stream answers nothing after a failed write to
 * its file. The stream then answers again only after a restart of the server, even if the disk has free space again.
 * @throws Error if the connection fails, or if the server or a stream does not answer in time. A refusal by a stream
 *   counts as an answer
 */
export async function probeStreams(login: BusLogin, timeoutMs: number): Promise<void> {
  await withClient(login, timeoutMs, async (client) => {
    const manager = await jetstreamManager(client, { checkAPI: false, timeout: timeoutMs });
    for await (const { config } of manager.streams.list()) {
      if (!/^events-s\d+$/.test(config.name)) continue;
      try {
        await probeStream(client, manager, config.name, config.subjects, timeoutMs);
      } catch (error) {
        if ((error as Error).name === 'TimeoutError') throw new Error(`The stream ${config.name} does not answer.`);
      }
    }
  });
}
