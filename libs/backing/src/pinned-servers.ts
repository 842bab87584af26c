import type { FindOptions } from './find-options.ts';
import { defaultCacheDirectory } from './find-servers.ts';
import { goBuild } from './go-build.ts';
import { NATS, OPENFGA, type Server } from './pins.ts';
import { pinnedPostgres, type PostgresPackage } from './postgres-package.ts';
import { unprivilegedUser } from './server-user.ts';

/**
 * Returns the paths of the pinned executables of PostgreSQL, NATS and OpenFGA, for example for container images.
 * Ignores other executables on this machine, even if the environment names them. PostgreSQL's executable is in a folder
 * `bin`. The folder above `bin` contains all files of PostgreSQL.
 * @param options `from` gives PostgreSQL's npm package and its architecture. Go builds for the same architecture
 * @throws BackingFault SERVER_MISSING, BUILD_FAILED, STATE_UNUSABLE; the reason of an aborted signal
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
