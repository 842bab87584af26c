import { jetstreamManager } from '@nats-io/jetstream';
import { type BusLogin, dial } from './dial.ts';

/** @throws the client's error if the server does not answer, refuses the credentials or has no JetStream */
export async function probeJetstream(login: BusLogin, timeoutMilliseconds: number): Promise<void> {
  const client = await dial(login, timeoutMilliseconds);
  try {
    const manager = await jetstreamManager(client, { timeout: timeoutMilliseconds });
    await manager.getAccountInfo();
  } finally {
    await client.close();
  }
}
