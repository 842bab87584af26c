import { askKeeper } from './servers/ask-keeper.ts';
import type { SharedLab } from './servers/keeper-protocol.ts';

/**
 * The Kubernetes lab of this run: a hub with Open Cluster Management and two joined spokes, shared by all spec files. A
 * project that uses it lists `lab` in `metadata.servers`. Each spec gives its objects unique names.
 * @throws KeeperFault when the lab cannot be built or started.
 */
export function testLab(): Promise<SharedLab> {
  return askKeeper({ ask: 'lab' });
}
