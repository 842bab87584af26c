import { held } from './harness.ts';
import { askKeeper } from './servers/ask-keeper.ts';
import type { SharedLab } from './servers/keeper-protocol.ts';

/**
 * The Kubernetes lab of this run: a hub with Open Cluster Management and two joined spokes, shared by all spec files.
 * The lab runs at least until the end of this file. Each spec gives its objects unique names. A project that uses the
 * lab lists `lab` in `metadata.servers`.
 * @throws KeeperFault when the lab cannot be built or started.
 */
export function testLab(): Promise<SharedLab> {
  held({ [Symbol.asyncDispose]: async () => void await askKeeper({ ask: 'leave-lab' }) });
  return askKeeper({ ask: 'lab' });
}
