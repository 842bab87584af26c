import type { FindOptions } from './find-options.ts';
import { defaultCacheDirectory } from './find-servers.ts';
import { goBuild } from './go-build.ts';
import { NATS, OPENFGA, type Server } from './pins.ts';
import { pinnedPostgres, type PostgresPackage } from './postgres-package.ts';
import { unprivilegedUser } from './server-user.ts';

/**
 * Returns the executables of the pinned builds, for example for images. Does not use other servers on this machine or
 * in the environment. PostgreSQL's other files are in the same folder and in the folder above it.
 * @param options `from` names the npm package of another architecture. Go then builds for this architecture, too
 * @throws BackingFault SERVER_MISSING, BUILD_FAILED, STATE_UNUSABLE
 */
export async function pinnedServers(
  options: FindOptions & { readonly from?: PostgresPackage },
): Promise<Readonly<Record<Server['name'], string>>> {
  const { environment, from, cacheDirectory = defaultCacheDirectory(environment) } = options;
  const [postgres, nats, openfga] = await Promise.all([
    unprivilegedUser().then((user) => pinnedPostgres(cacheDirectory, user, options, from)),
    goBuild(NATS, cacheDirectory, options, from?.architecture),
    goBuild(OPENFGA, cacheDirectory, options, from?.architecture),
  ]);
  return { postgres: postgres.file, nats: nats.file, openfga: openfga.file };
}
