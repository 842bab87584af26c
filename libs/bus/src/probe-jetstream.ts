import { jetstreamManager } from '@nats-io/jetstream';
import { type BusLogin, withClient } from './dial.ts';

/** @throws the client's error if the server does not answer, refuses the credentials or has no JetStream */
export async function probeJetstream(login: BusLogin, timeoutMilliseconds: number): Promise<void> {
  await withClient(login, timeoutMilliseconds, async (client) => {
    const manager = await jetstreamManager(client, { timeout: timeoutMilliseconds });
    await manager.getAccountInfo();
  });
}
