import { randomBytes } from 'node:crypto';
import type { NatsAccess } from '@platform/backing';
import { askKeeper } from './servers/ask-keeper.ts';
import type { ServiceSettings } from './start-service.ts';

/** A NATS server in operator mode, and an unused prefix. */
export interface TestBus extends NatsAccess {
  /** First token of this file's subjects and of the names of its streams, buckets and consumers: letters and digits. */
  readonly prefix: string;
  /** Settings of a service that uses the bus (for `startService`). */
  readonly settings: ServiceSettings;
}

/** A prefix for NATS subjects, streams, buckets and consumers that no other spec file has. */
export function busPrefix(): string {
  return `test${randomBytes(6).toString('hex')}`;
}

/** The run's NATS with a prefix for this spec file. @throws KeeperFault if the run has no NATS. */
export async function testBus(): Promise<TestBus> {
  const access = await askKeeper({ ask: 'nats' });
  const settings = { 'nats.url': access.url, 'nats.credentials': access.credentials };
  return { ...access, prefix: busPrefix(), settings };
}
