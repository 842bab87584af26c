import { jetstreamManager } from '@nats-io/jetstream';
import { type BusLogin, withClient } from './dial.ts';

/** @throws Error if the server does not answer or has no JetStream, or the credentials are invalid or refused */
export async function probeJetstream(login: BusLogin, timeoutMilliseconds: number): Promise<void> {
  await withClient(login, timeoutMilliseconds, async (client) => {
    const manager = await jetstreamManager(client, { timeout: timeoutMilliseconds });
    await manager.getAccountInfo();
  });
}
