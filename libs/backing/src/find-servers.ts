import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { natsAddress, openfgaAddress, postgresAddress } from './address.ts';
import { findBinary, namedBinary, type ServerBinary, type Wanted } from './find-binary.ts';
import type { FindOptions } from './find-options.ts';
import { goBuild } from './go-build.ts';
import type { NatsAddress } from './nats.ts';
import type { OpenfgaAddress } from './openfga.ts';
import { goPin, NATS, OPENFGA, POSTGRES, postgresPin, type GoTool, type Server } from './pins.ts';
import { pinnedPostgres } from './postgres-package.ts';
import type { PostgresAddress } from './postgres.ts';
import { unprivilegedUser } from './server-user.ts';

export interface FoundServers {
  readonly postgres: PostgresAddress | ServerBinary;
  readonly nats: NatsAddress | ServerBinary;
  readonly openfga: OpenfgaAddress | ServerBinary;
}

/** Returns `$XDG_CACHE_HOME/platform` if this variable has an absolute path, else `~/.cache/platform`. */
export function defaultCacheDirectory(environment: FindOptions['environment']): string {
  const base = environment['XDG_CACHE_HOME'];
  // The XDG Base Directory Specification requires that a relative path is ignored.
  return join(base && isAbsolute(base) ? base : join(environment['HOME'] || homedir(), '.cache'), 'platform');
}

/**
 * Finds each server. Uses the first that exists: an address in the environment, a binary that the environment names, a
 * binary of the pinned series on this machine, or the pinned build. Creates a missing pinned build and reports the
 * progress. The first build of OpenFGA takes minutes. Does not check servers at addresses: see `probePostgres`,
 * `probeNats` and `probeOpenfga`.
 * @throws BackingFault ADDRESS_INVALID, BINARY_UNFIT, SERVER_MISSING, BUILD_FAILED, STATE_UNUSABLE; the reason of an
 *   aborted signal
 */
export async function findServers(options: FindOptions): Promise<FoundServers> {
  const { environment } = options;
  // Check addresses and named binaries first, so that a wrong setting is reported before a build, which takes minutes.
  const named = {
    postgres: postgresAddress(environment) ?? (await binaryNamed(POSTGRES, environment)),
    nats: (await natsAddress(environment)) ?? (await binaryNamed(NATS, environment)),
    openfga: openfgaAddress(environment) ?? (await binaryNamed(OPENFGA, environment)),
  };
  // Find the servers concurrently, because a missing server is built, which can take minutes.
  const [postgres, nats, openfga] = await Promise.allSettled([
    Promise.resolve(named.postgres ?? findServer(POSTGRES, options)),
    Promise.resolve(named.nats ?? findServer(NATS, options)),
    Promise.resolve(named.openfga ?? findServer(OPENFGA, options)),
  ]);
  return { postgres: valueOf(postgres), nats: valueOf(nats), openfga: valueOf(openfga) };
}

function valueOf<Value>(settled: PromiseSettledResult<Value>): Value {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}

async function binaryNamed(
  server: Server | (Server & GoTool), environment: FindOptions['environment'],
): Promise<ServerBinary | undefined> {
  const named = environment[server.binaryVariable]?.trim();
  if (!named) return undefined;
  return await namedBinary('module' in server ? named : join(named, server.executable), await wantedOf(server));
}

async function findServer(server: Server | (Server & GoTool), options: FindOptions): Promise<ServerBinary> {
  const { environment, report, cacheDirectory = defaultCacheDirectory(environment) } = options;
  const wanted = await wantedOf(server);
  const found = await findBinary({ ...wanted, path: environment['PATH'], report });
  if (found !== undefined) return found;
  if ('module' in server) return await goBuild(server, cacheDirectory, options);
  return await pinnedPostgres(cacheDirectory, wanted.user, options);
}

async function wantedOf(server: Server | (Server & GoTool)): Promise<Wanted> {
  if ('module' in server) return { server, series: (await goPin(server)).split('.').slice(0, 2).join('.') };
  // Releases of one major version of PostgreSQL are compatible, so the minor version may differ. For other servers, the
  // minor version must match, too.
  const series = postgresPin().split('.')[0]!;
  return { server, series, companions: ['initdb'], user: await unprivilegedUser() };
}
