import { jetstreamManager } from '@nats-io/jetstream';
import { type BusLogin, withClient } from './dial.ts';

/** @throws Error if no server answers, the account has no JetStream, or the credentials are invalid or refused */
export async function probeJetstream(login: BusLogin, timeoutMilliseconds: number): Promise<void> {
  await withClient(login, timeoutMilliseconds, async (client) => {
    const manager = await jetstreamManager(client, { timeout: timeoutMilliseconds });
    await manager.getAccountInfo();
  });
}
