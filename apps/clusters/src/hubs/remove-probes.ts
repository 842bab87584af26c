import type { JobContext } from '@platform/jobs';
import { createLimiter } from '@platform/service';
import type { Parts } from '../parts.ts';
import { removeExpiredProbes } from './probe.ts';
import { readImportedHubs } from './store.ts';

/** Number of hubs that are examined concurrently. An unavailable hub takes ten seconds, the time limit of a call. */
const atOnce = 8;

/** Deletes ManifestWorks that interrupted calls have left on hubs. The next run tries silent hubs again. */
export async function removeProbes(
  { config, database, hubs }: Pick<Parts, 'config' | 'database' | 'hubs'>, { deadline, log }: JobContext,
): Promise<void> {
  const limiter = createLimiter(atOnce, 'a look at a hub');
  await Promise.all((await readImportedHubs(database, deadline)).map((key) => limiter.run(deadline, async () => {
    const hub = await hubs.connection(key, deadline);
    if (hub !== undefined) await removeExpiredProbes(hub, config.labelsDomain, deadline);
  }).catch((error: unknown) => log.info({ hub: key.uid, error }, 'cannot remove expired probes from a hub'))));
}
