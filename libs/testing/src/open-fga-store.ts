import { randomBytes } from 'node:crypto';
import type { OpenfgaAccess } from '@platform/backing';
import { askKeeper } from './servers/ask-keeper.ts';
import type { ServiceSettings } from './start-service.ts';

/** An OpenFGA server and an unused store name. authz or the spec creates the store itself. */
export interface TestOpenFgaStore extends OpenfgaAccess {
  readonly storeName: string;
  /** Settings of a service that uses the store (for `startService`). */
  readonly settings: ServiceSettings;
}

/** The run's OpenFGA with a store name for this spec file. @throws KeeperFault when the run has no OpenFGA. */
export async function openFgaStore(): Promise<TestOpenFgaStore> {
  const { url, presharedKey } = await askKeeper({ ask: 'openfga' });
  const storeName = `test-${randomBytes(6).toString('hex')}`;
  return {
    url, presharedKey, storeName,
    settings: { 'openfga.url': url, 'openfga.presharedKey': presharedKey, 'openfga.storeName': storeName },
  };
}
