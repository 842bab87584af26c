import { planOpenfga } from '@platform/backing';
import type { OwnPostgres } from './own-postgres.ts';
import type { OwnServer } from './own-server.ts';
import type { ServiceSettings } from './start-service.ts';

/** A separate OpenFGA server for one spec. */
export interface OwnEngine extends Omit<OwnServer<never>, 'plan'> {
  readonly url: string;
  readonly presharedKey: string;
  readonly storeName: string;
  readonly settings: ServiceSettings;
}

/** Starts an OpenFGA server on a database of this PostgreSQL, to which it connects directly. @throws BackingFault */
export async function ownEngine({ servers, foreignDatabase }: OwnPostgres): Promise<OwnEngine> {
  const { openfga: source } = servers.found;
  if (source.kind !== 'binary') throw new Error('there is no OpenFGA to run');
  const datastoreUrl = await foreignDatabase('openfga');
  const { plan, ...server } = await servers.open(() => planOpenfga({ source, state: servers.state, datastoreUrl }));
  const { url, presharedKey } = plan.access;
  const storeName = 'platform';
  return {
    ...server, url, presharedKey, storeName,
    settings: { 'openfga.url': url, 'openfga.presharedKey': presharedKey, 'openfga.storeName': storeName },
  };
}
